"""Cases of 19.speculative_sampling_step."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def _refused(rng, V):
    """Return p, q, a token to which q gives too much probability, and a u that clearly rejects it."""
    p, q = rng.dirichlet(np.ones(V)), rng.dirichlet(np.ones(V))
    word = int(np.argmax(q - p))
    kept = p[word] / q[word]
    return p, q, word, float(kept + (1 - kept) * 0.5)


def cases(rng):
    V = int(rng.integers(6, 12))
    hand = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.6, 0.2])
    two = hand[0], np.array([0.2, 0.2, 0.6])
    cases = [
        Case(
            "accepted for every u",
            (*hand, 0, 0.99, 0.9),
            "p is larger than q, so the token is accepted, whatever u is.",
            expected=0,
        ),
        Case(
            "accepted with u just below p / q",
            (*hand, 1, 0.49, 0.9),
            "p / q is one half and u is smaller, so the token is accepted.",
            expected=1,
        ),
        Case(
            "accepted with a small u",
            (*hand, 1, 0.2, 0.9),
            "u is smaller than p / q, so the token is accepted, although p is smaller than q.",
            expected=1,
        ),
        Case(
            "rejected",
            (*hand, 1, 0.51, 0.9),
            "u is larger than p / q. Token 0 is the only one that the draft proposes too rarely.",
            expected=0,
        ),
        Case(
            "accepted with a small q",
            (np.array([0.45, 0.45, 0.1]), np.array([0.1, 0.1, 0.8]), 1, 0.5, 0.1),
            "p / q is 4.5 and u is smaller, so the token is accepted.",
            expected=1,
        ),
        Case(
            "rejected, with two tokens in the residual distribution",
            (*two, 2, 0.9, 0.9),
            "The residual is 0.3 and 0.1, which is 3/4 and 1/4 after division by its sum. So v = 0.9 "
            "gives token 1.",
            expected=1,
        ),
        Case(
            "a target model that is certain of one token",
            (np.array([0.0, 0.0, 1.0]), np.array([0.5, 0.25, 0.25]), 0, 0.0, 0.5),
            "A token whose p is 0 is never accepted, not even with u = 0.",
            expected=2,
        ),
    ]
    cases += [
        Case(
            f"rejected, with two tokens in the residual distribution and v = {v}",
            (*two, 2, 0.9, v),
            "Token 0 has 3/4 of the residual distribution, and token 1 has 1/4.",
            expected=word,
        )
        for v, word in ((0.6, 0), (0.8, 1))
    ]
    edge = np.array([0.0, 0.5, 0.25, 0.25]), np.array([0.25, 0.25, 0.0, 0.5])
    cases += [
        Case(
            "rejected, with v = 0",
            (*edge, 0, 0.5, 0.0),
            "Token 0 has probability 0 in the residual distribution. Token 1 is the first whose sum "
            "is larger than 0.",
            expected=1,
        ),
        Case(
            "rejected, with v at a limit between two tokens",
            (*edge, 0, 0.5, 0.5),
            "The cumulative probability of token 1 is exactly one half, which is not larger than v.",
            expected=2,
        ),
    ]
    for number in range(6):
        p, q, word, u = _refused(rng, V)
        v = float(rng.random())
        cases.append(
            Case(
                f"rejected, random distributions {number}",
                (p, q, word, u, v),
                "The token is rejected, so sample from the residual distribution, max(p - q, 0) divided "
                "by its sum.",
            )
        )
    p, q, word, u = _refused(rng, V)
    lucky = float(0.5 * p[word] / q[word])
    cases.append(
        Case(
            "accepted, random distributions",
            (p, q, word, lucky, 0.5),
            "u is smaller than p / q, so the token is accepted.",
        )
    )
    return cases


EXERCISE = exercise_from_text(__file__, cases, ids=True)
