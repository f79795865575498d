"""19.keep_or_redraw: Keep the drafted word, or draw another."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .keep_or_redraw_wrong import MORE, by_loop, other, redraw


def keep_or_redraw(p, q, drafted, u, v):
    """Return the word that is said: `drafted` if u q < p there, else the first of the rest to pass v."""
    if u * q[drafted] < p[drafted]:
        return drafted
    rest = np.maximum(p - q, 0)
    return int(np.searchsorted(np.cumsum(rest), v * rest.sum(), side="right"))


def _refused(rng, V):
    """Return p, q, a word that q says too often, and a u that refuses it, none of them near a border."""
    p, q = rng.dirichlet(np.ones(V)), rng.dirichlet(np.ones(V))
    word = int(np.argmax(q - p))
    kept = p[word] / q[word]
    return p, q, word, float(kept + (1 - kept) * 0.5)


def _cases(rng):
    V = int(rng.integers(6, 12))
    hand = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.6, 0.2])
    two = hand[0], np.array([0.2, 0.2, 0.6])
    cases = [
        Case(
            "kept for sure", (*hand, 0, 0.99, 0.9), "p is larger than q: keep it, whatever u is.", expected=0
        ),
        Case("kept by u", (*hand, 1, 0.49, 0.9), "p / q is a half, and u is below it: keep.", expected=1),
        Case(
            "kept by a small u",
            (*hand, 1, 0.2, 0.9),
            "u is below p / q, though p is below q: keep.",
            expected=1,
        ),
        Case(
            "refused", (*hand, 1, 0.51, 0.9), "u is above p / q. Only word 0 is said too seldom.", expected=0
        ),
        Case(
            "kept though q is small",
            (np.array([0.45, 0.45, 0.1]), np.array([0.1, 0.1, 0.8]), 1, 0.5, 0.1),
            "p / q is 4.5, and u is below it: keep.",
            expected=1,
        ),
        Case(
            "two words remain",
            (*two, 2, 0.9, 0.9),
            "The rest is 0.3 and 0.1, that is 3/4 and 1/4: v = 0.9 falls on word 1.",
            expected=1,
        ),
        Case(
            "one word is certain",
            (np.array([0.0, 0.0, 1.0]), np.array([0.5, 0.25, 0.25]), 0, 0.0, 0.5),
            "A word that the large model never says is never kept, not even with u = 0.",
            expected=2,
        ),
    ]
    cases += [
        Case(f"two words remain, v = {v}", (*two, 2, 0.9, v), "3/4 is word 0's, 1/4 word 1's.", expected=word)
        for v, word in ((0.6, 0), (0.8, 1))
    ]
    edge = np.array([0.0, 0.5, 0.25, 0.25]), np.array([0.25, 0.25, 0.0, 0.5])
    cases += [
        Case(
            "v is 0",
            (*edge, 0, 0.5, 0.0),
            "Word 0 has no share of the rest. Word 1 is the first.",
            expected=1,
        ),
        Case(
            "v on the edge",
            (*edge, 0, 0.5, 0.5),
            "Half of the rest is word 1's: not larger than v.",
            expected=2,
        ),
    ]
    for number in range(6):
        p, q, word, u = _refused(rng, V)
        v = float(rng.random())
        cases.append(
            Case(f"refused, random {number}", (p, q, word, u, v), "Draw from what remains: max(p - q, 0).")
        )
    p, q, word, u = _refused(rng, V)
    lucky = float(0.5 * p[word] / q[word])
    cases.append(Case("kept, random", (p, q, word, lucky, 0.5), "u is below p / q: the draft stays."))
    return cases


EXERCISE = Exercise(
    id="19.keep_or_redraw",
    title="Keep the drafted word, or draw another",
    reference=keep_or_redraw,
    cases=_cases,
    hints=(
        "Two questions: is the word kept? And if not, which words does the draft say too seldom?",
        "Keep it if u < p / q, better without a division: u * q < p. The rest is max(p - q, 0), not "
        "yet 1 in sum.",
        "rest = np.maximum(p - q, 0); the word is the first whose cumulated rest is larger than v * "
        "rest.sum(): np.searchsorted(np.cumsum(rest), v * rest.sum(), side='right')",
    ),
    mistakes=(
        Mistake(
            "always_kept",
            other(keep=lambda p, q, word, u: True),
            "You keep every draft. Then the text is the small model's. Keep only where u < p / q.",
        ),
        Mistake(
            "drawn_from_p",
            other(rest=lambda p, q: p),
            "After a refusal you draw from p itself. Words that the draft already says often come too often "
            "then. Draw from max(p - q, 0).",
        ),
        Mistake(
            "drawn_from_q",
            other(rest=lambda p, q: q),
            "After a refusal you draw from the draft again. Draw from what remains of p: max(p - q, 0).",
        ),
        Mistake(
            "kept_where_p_is_larger",
            other(keep=lambda p, q, word, u: p[word] >= q[word]),
            "You keep only where p is at least q. Where it is smaller, keep with probability p / q: "
            "that is what u is for.",
        ),
        Mistake(
            "u_against_p",
            other(keep=lambda p, q, word, u: u < p[word]),
            "You compare u with p. Compare it with p / q.",
        ),
        Mistake(
            "q_over_p",
            other(keep=lambda p, q, word, u: u * p[word] < q[word]),
            "You compare u with q / p. It is the other way round: p / q.",
        ),
        Mistake(
            "rest_not_divided",
            lambda p, q, drafted, u, v: (
                drafted
                if u * q[drafted] < p[drafted]
                else int(min(np.searchsorted(np.cumsum(np.maximum(p - q, 0)), v, side="right"), len(p) - 1))
            ),
            "The rest does not sum to 1. Divide by its sum, or compare with v times its sum.",
        ),
        Mistake(
            "the_absolute_difference",
            other(rest=lambda p, q: np.abs(p - q)),
            "You draw from |p - q|. Words that the draft says too often must not come again: max(p - q, 0).",
        ),
        Mistake(
            "the_largest_of_the_rest",
            lambda p, q, drafted, u, v: drafted if u * q[drafted] < p[drafted] else int(np.argmax(p - q)),
            "You take the likeliest of the rest. It must be drawn, with v.",
        ),
        Mistake(
            "p_without_the_word",
            lambda p, q, drafted, u, v: (
                drafted if u * q[drafted] < p[drafted] else redraw(p * (np.arange(len(p)) != drafted), v)
            ),
            "You draw from p without the refused word. Other words that the draft says too often then come "
            "too often: max(p - q, 0).",
        ),
        Mistake(
            "q_minus_p",
            lambda p, q, drafted, u, v: (
                drafted if u * q[drafted] < p[drafted] else min(redraw(np.maximum(q - p, 0), v), len(p) - 1)
            ),
            "Your rest is what the draft says too often. Take what it says too seldom: max(p - q, 0).",
        ),
        Mistake(
            "u_once_more",
            lambda p, q, drafted, u, v: keep_or_redraw(p, q, drafted, u, u),
            "You draw with u, which has already decided that the word is refused. Draw with v.",
        ),
        Mistake(
            "u_and_v_exchanged",
            lambda p, q, drafted, u, v: keep_or_redraw(p, q, drafted, v, u),
            "You exchanged u and v: u decides whether the word stays, v draws another.",
        ),
        Mistake(
            "on_the_edge",
            lambda p, q, drafted, u, v: (
                drafted
                if u * q[drafted] < p[drafted]
                else int(np.searchsorted(np.cumsum(r := np.maximum(p - q, 0)), v * r.sum()))
            ),
            "On the edge between two words you take the first. Its sum must be larger than v: "
            "with v = 0 you would say a word without a share.",
        ),
        *MORE,
    ),
    alternatives=(by_loop,),
    stars=2,
    minutes=20,
    ids=True,
)
