"""Texts to learn from, with no network: a grammar, Python's own documentation, any file."""

import importlib
from pathlib import Path

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
    """Return the English that ships with Python: the help topics of the language, one after the other.

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


def text_file(path):
    """Return the text of a file, with "\\n" at every line's end.

    Parameters
    ----------
    path : str or Path
        A UTF-8 text file.

    Returns
    -------
    text : str
        The whole file, without a byte order mark.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is not UTF-8, or holds no text.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path} in {Path.cwd()}: check the name and the folder.")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text (byte {error.start}): save it as UTF-8 first.") from None
    if not text:
        raise ValueError(f"{path} is empty: there is nothing to learn from.")
    return text
