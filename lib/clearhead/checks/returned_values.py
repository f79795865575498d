"""Name a part of what an answer returned as the student's own code names it."""

import ast
import inspect
import re
import textwrap

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
PART = re.compile(r"(?i)\bresult((?:\[(?:'[^']*'|\"[^\"]*\"|\d+)\])+)")


def names_returned(answer):
    """Return the names in the `return` of a function that returns several values, such as ("Z", "A").

    A value that is no plain name is "". Where the source cannot be read, where there is one value, or where
    two `return` statements disagree on the number of values, nothing is returned.
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(answer))))
    except (OSError, TypeError, SyntaxError, ValueError):
        return ()
    if not (tree.body and isinstance(tree.body[0], ast.FunctionDef)):
        return ()
    returned = [node.value for node in _own_statements(tree.body[0]) if isinstance(node, ast.Return)]
    if not returned or not all(isinstance(value, ast.Tuple) for value in returned):
        return ()
    if len({len(value.elts) for value in returned}) > 1:
        return ()
    return tuple(part.id if isinstance(part, ast.Name) else "" for part in returned[-1].elts)


def _own_statements(function):
    """Yield the nodes of a function, those of functions and classes inside it left out."""
    waiting = list(function.body)
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def in_students_words(text, exercise, names=()):
    """Return a text in which `result['h']` is "the first value that you return (h)".

    Parameters
    ----------
    text : str
    exercise : Exercise
        Its `returns` says what the keys mean that its driver chose.
    names : tuple of str
        The names in the student's own `return`, where they are known.
    """
    return PART.sub(lambda found: _named(found[1], exercise, names), text)


def _named(path, exercise, names):
    """Return the words for a place such as "['h'][2]"."""
    first, *rest = [ast.literal_eval(f"[{each}]")[0] for each in re.findall(r"\[(.*?)\]", path)]
    inside = "".join(f", entry {each!r}" for each in rest)
    return f"{_value(first, exercise, names)}{inside}"


def _value(key, exercise, names):
    """Return the words for one value of several, by its key or by its index."""
    returns = exercise.returns
    if isinstance(returns, dict) and key in returns:
        return returns[key]
    index = returns.index(key) if isinstance(returns, tuple) and key in returns else key
    if isinstance(index, int) and index < len(ORDINALS) and (names or index != key):
        name = names[index] if index < len(names) and names[index] else "" if index == key else key
        return f"the {ORDINALS[index]} value that you return{f' ({name})' if name else ''}"
    if isinstance(index, int):
        return f"item {index} of what you return"
    measured = exercise.driver or exercise.facts
    return f"what the check measured as {key!r}" if measured else f"the entry {key!r} of your dict"
