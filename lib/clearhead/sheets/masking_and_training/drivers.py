"""Functions that run in the sandbox beside the student's answer, so that no right answer may be used here."""


def run_pairs(answer, tokens):
    """Return the answer's pairs, with a tuple as prefix replaced by text, because a tuple equals no list."""
    pairs = answer(tokens)
    return [_as_told(pair) for pair in pairs] if isinstance(pairs, list | tuple) else pairs


def _as_told(pair):
    """Return a pair whose first half is replaced by text if it is a tuple."""
    if isinstance(pair, list | tuple) and len(pair) == 2 and isinstance(pair[0], tuple):
        return [f"the tuple {pair[0]!r}", pair[1]]
    return pair
