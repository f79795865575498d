"""The conditions under which a set of rules is a grammar whose probabilities can be computed."""

import numpy as np

STOP = "<stop>"


def check(rules, start):
    """Raise a ValueError that says what is wrong with a grammar, if anything is.

    Parameters
    ----------
    rules : dict
        Symbol -> list of (Fraction, tuple of symbols and words).
    start : str
        The symbol that every sentence starts as.

    Raises
    ------
    ValueError
        See `Grammar`.
    """
    if start not in rules:
        raise ValueError(f"The start symbol {start} has no rules: add its alternatives.")
    for symbol, alternatives in rules.items():
        total = sum(p for p, _ in alternatives)
        if total != 1 or any(p <= 0 for p, _ in alternatives):
            raise ValueError(
                f"The probabilities of {symbol} sum to {total}: make them positive, with the sum 1."
            )
        if any(STOP in right for _, right in alternatives):
            raise ValueError(
                f"{symbol} says {STOP}, which is kept for the end of a sentence: use another word."
            )
    if symbol := left_recursive(rules):
        raise ValueError(f"{symbol} can become itself before a word is said: put a word in front of it.")
    if max(abs(np.linalg.eigvals(expected_children(rules)))) > 1 - 1e-9:
        raise ValueError(
            "Sentences have no finite mean length: make the rules that repeat themselves less likely."
        )


def expected_children(rules):
    """Return the mean number of each symbol by which a symbol is replaced.

    Parameters
    ----------
    rules : dict
        The grammar, with n symbols.

    Returns
    -------
    children : (n, n) array of float
        Row: the symbol that is replaced. Column: the symbol that comes.
    """
    symbols = {symbol: i for i, symbol in enumerate(rules)}
    children = np.zeros((len(symbols), len(symbols)))
    for symbol, alternatives in rules.items():
        for p, right in alternatives:
            for other in right:
                if other in symbols:
                    children[symbols[symbol], symbols[other]] += float(p)
    return children


def left_recursive(rules):
    """Return a symbol that can derive itself before any word is produced, or None.

    Parameters
    ----------
    rules : dict
        The grammar.

    Returns
    -------
    symbol : str or None
        The first such symbol.
    """
    silent = set()
    for _ in rules:
        silent |= {
            s
            for s, alternatives in rules.items()
            if any(silent.issuperset(right) for _, right in alternatives)
        }
    begins = {symbol: set() for symbol in rules}
    for symbol, alternatives in rules.items():
        for _, right in alternatives:
            for other in right:
                begins[symbol].add(other)
                if other not in silent:
                    break
    for _ in rules:
        for symbol in rules:
            begins[symbol] |= {deeper for other in begins[symbol] for deeper in begins.get(other, ())}
    return next((symbol for symbol in rules if symbol in begins[symbol]), None)
