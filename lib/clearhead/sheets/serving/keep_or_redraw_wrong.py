"""Other ways of 19.keep_or_redraw, wrong ones and a right one."""

import numpy as np

from clearhead.checks.exercise import Mistake


def redraw(rest, v):
    """Return the first word whose cumulated share is larger than v of all shares."""
    return int(np.searchsorted(np.cumsum(rest), v * rest.sum(), side="right"))


def other(keep=None, rest=None):
    """Return an answer that keeps, or draws again, by another rule."""

    def answer(p, q, drafted, u, v):
        kept = u * q[drafted] < p[drafted] if keep is None else keep(p, q, drafted, u)
        return drafted if kept else redraw(np.maximum(p - q, 0) if rest is None else rest(p, q), v)

    return answer


def by_loop(p, q, drafted, u, v):
    """Return the right word, found by a loop."""
    if u < min(1, p[drafted] / q[drafted]):
        return drafted
    rest = [max(large - small, 0) for large, small in zip(p, q, strict=True)]
    aim, reached = v * sum(rest), 0.0
    for word, share in enumerate(rest):
        reached += share
        if reached > aim:
            return word
    return None


def _kept(p, q, drafted, u):
    return u * q[drafted] < p[drafted]


def _else(word_of):
    """Return an answer that keeps by the rule, and else says word_of(p, q, drafted, v)."""
    return lambda p, q, drafted, u, v: drafted if _kept(p, q, drafted, u) else int(word_of(p, q, drafted, v))


def _quotient(rest):
    with np.errstate(all="ignore"):
        return rest / rest.sum()


def _rest(p, q):
    return np.maximum(p - q, 0)


def _likeliest_first(p, q, drafted, v):
    order = np.argsort(-_rest(p, q), kind="stable")
    return order[redraw(_rest(p, q)[order], v)]


def _drawn(rest_of):
    """Return keep_or_redraw that draws from another rest."""

    def answer(p, q, drafted, u, v):
        if u * q[drafted] < p[drafted]:
            return drafted
        rest = rest_of(p, q)
        return int(np.searchsorted(np.cumsum(rest), v * rest.sum(), side="right"))

    return answer


MORE = (
    Mistake(
        "rest_not_divided_and_word_0",
        _else(lambda p, q, drafted, v: np.argmax(np.cumsum(_rest(p, q)) > v)),
        "The rest does not sum to 1, so a large `v` is never passed, and word 0 comes. Divide by the sum.",
    ),
    Mistake(
        "rest_not_divided_and_one_too_far",
        _else(lambda p, q, drafted, v: np.searchsorted(np.cumsum(_rest(p, q)), v, side="right")),
        "The rest does not sum to 1, so a large `v` is never passed, and an id comes that no word has. "
        "Divide by the sum.",
    ),
    Mistake(
        "kept_where_it_is_refused",
        other(keep=lambda p, q, word, u: u * q[word] >= p[word]),
        "You keep where u is above p / q, and draw again where it is below. It is the other way round.",
    ),
    Mistake(
        "never_kept",
        other(keep=lambda p, q, word, u: False),
        "You draw again also where u < p / q. There the draft is kept.",
    ),
    Mistake(
        "u_against_one_minus_p",
        other(keep=lambda p, q, word, u: u < 1 - p[word]),
        "You compare u with 1 - p. Compare it with p / q.",
    ),
    Mistake(
        "share_of_a_word_alone",
        _else(lambda p, q, drafted, v: np.argmax(_rest(p, q) > v * _rest(p, q).sum())),
        "You look for the first word whose own share is larger than v. Add the shares up: np.cumsum.",
    ),
    Mistake(
        "likeliest_first",
        _else(_likeliest_first),
        "You put the words in the order of their shares. They stand in the order of their ids.",
    ),
    Mistake(
        "one_word_further",
        _else(lambda p, q, drafted, v: min(redraw(_rest(p, q), v) + 1, len(p) - 1)),
        "You say the word behind the right one. The first whose sum is larger than v is the one.",
    ),
    Mistake(
        "last_below",
        _else(lambda p, q, drafted, v: max(redraw(_rest(p, q), v) - 1, 0)),
        "You say the last word whose sum is not larger than v. Say the next: the first whose sum is larger.",
    ),
    Mistake(
        "drawn_from_behind",
        _else(lambda p, q, drafted, v: redraw(_rest(p, q), 1 - v)),
        "You draw with 1 - v, or add up from behind. Add up from word 0 on, until the sum is larger than v.",
    ),
    Mistake(
        "the_mean_of_both",
        _else(lambda p, q, drafted, v: redraw(p + q, v)),
        "You draw from p + q. Draw from max(p - q, 0).",
    ),
    Mistake(
        "the_likeliest_of_p",
        _else(lambda p, q, drafted, v: np.argmax(p)),
        "You say the likeliest word of p. Draw from max(p - q, 0), with v.",
    ),
    Mistake(
        "the_first_of_the_rest",
        _else(lambda p, q, drafted, v: np.argmax(p > q)),
        "You say the first word of the rest, whatever v is. Add up shares until the sum is larger than v.",
    ),
    Mistake(
        "the_last_of_the_rest",
        _else(lambda p, q, drafted, v: len(p) - 1 - np.argmax((p > q)[::-1])),
        "You say the last word of the rest, whatever v is. Add up shares until the sum is larger than v.",
    ),
    Mistake(
        "rest_without_sizes",
        _drawn(lambda p, q: 1.0 * (p > q)),
        "You drew evenly among the words of which p is larger. Each has its own share: p - q.",
    ),
    Mistake(
        "rest_squared",
        _drawn(lambda p, q: np.maximum(p - q, 0) ** 2),
        "You squared the rest. Draw from max(p - q, 0) itself.",
    ),
    Mistake(
        "kept_where_u_is_equal",
        other(keep=lambda p, q, word, u: u * q[word] <= p[word]),
        "You keep also where u is equal to p / q. With u = 0 you would say a word that the large model never "
        "says: keep where u is smaller.",
    ),
    Mistake(
        "rest_not_cut",
        _else(lambda p, q, drafted, v: np.argmax(np.cumsum(_quotient(p - q)) > v)),
        "You did not cut p - q at 0. Then its sum is 0 or nearly so, and no whole to divide by: "
        "np.maximum(p - q, 0).",
    ),
    Mistake(
        "rest_neither_cut_nor_divided",
        _else(lambda p, q, drafted, v: np.argmax(np.cumsum(p - q) > v)),
        "You did not cut p - q at 0, and did not divide it by its sum. Both are needed: "
        "np.maximum(p - q, 0).",
    ),
    Mistake(
        "what_both_say",
        _drawn(lambda p, q: np.minimum(p, q)),
        "You draw from what p and q share. Draw from what p has more: max(p - q, 0).",
    ),
    Mistake(
        "place_in_the_rest",
        _else(lambda p, q, drafted, v: redraw(_rest(p, q)[_rest(p, q) > 0], v)),
        "You return the place among the words that remain. Return its id among all words.",
    ),
    Mistake(
        "drawn_evenly",
        _else(lambda p, q, drafted, v: int(v * len(p))),
        "You draw evenly among all words. Draw from max(p - q, 0), with v.",
    ),
    Mistake(
        "smallest_first",
        _else(
            lambda p, q, drafted, v: (order := np.argsort(_rest(p, q), kind="stable"))[
                redraw(_rest(p, q)[order], v)
            ]
        ),
        "You put the words in the order of their shares. They stand in the order of their ids.",
    ),
    Mistake(
        "u_against_q",
        other(keep=lambda p, q, word, u: u < q[word]),
        "You compare u with q. Compare it with p / q.",
    ),
)
