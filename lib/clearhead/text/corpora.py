"""Training texts that need no network: the book's grammar, and Python's own documentation."""

import importlib

from clearhead.text.grammar import Grammar
from clearhead.text.sentences import SENTENCES


def grammar():
    """Return the book's probabilistic grammar: sentences whose entropy is known exactly.

    Returns
    -------
    grammar : Grammar
        It samples sentences, and it knows the true probability of every next word.
    """
    return Grammar(SENTENCES)


def python_docs():
    """Return the English text that ships with Python: the help topics of the language, concatenated.

    Returns
    -------
    text : str
        About 465,000 characters in Python 3.11; other versions differ a little.

    References
    ----------
    The module `pydoc_data.topics` of the standard library (Python Software Foundation licence).
    """
    topics = importlib.import_module("pydoc_data.topics").topics
    return "\n\n".join(topics[name] for name in sorted(topics))
