"""Run beside the student's answer: no right answer stands here, or may be imported."""


def run_pairs(answer, tokens):
    """Return the pairs of the answer; a prefix that is a tuple, which equals no list, as text."""
    pairs = answer(tokens)
    return [_as_told(pair) for pair in pairs] if isinstance(pairs, list | tuple) else pairs


def _as_told(pair):
    """Return a pair whose first half is told in words where it is a tuple."""
    if isinstance(pair, list | tuple) and len(pair) == 2 and isinstance(pair[0], tuple):
        return [f"the tuple {pair[0]!r}", pair[1]]
    return pair
