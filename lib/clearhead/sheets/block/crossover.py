"""08.crossover: Where attention takes over."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake


def crossover(d_model, d_ff):
    """Return the length () at which the matrices of a block cost as much as scores and mixtures."""
    return 2 * d_model + d_ff


def _crossover_cases(rng):
    D, F = (int(size) for size in rng.integers(100, 900, size=2))
    F += 1000

    def balanced(n, D, F):
        return np.isclose(4 * n**2 * D, 8 * n * D**2 + 4 * n * D * F)

    equal = ("at this length both costs are equal", balanced)
    return [
        Case(
            "width 768, four times wider inside",
            (768, 3072),
            "That is GPT-2: 6 · 768.",
            expected=4608,
            properties=(equal,),
        ),
        Case("another width inside", (D, F), "Put your T back into both costs.", properties=(equal,)),
        Case("narrow inside", (F, D), "Put your T back into both costs.", properties=(equal,)),
        Case("the sizes of LLaMA 7B, with two maps", (4096, 11_008), "Count the matrices one by one."),
    ]


EXERCISE = Exercise(
    id="08.crossover",
    title="Where attention takes over",
    reference=crossover,
    cases=_crossover_cases,
    hints=(
        "Write down every product of a block with its shapes. Which have the length T once in the cost, "
        "and which twice?",
        "Query, key, value and output: 4 · 2TD². Up and down: 2 · 2TD·d_ff. Scores and mixtures: 2 · 2T²D.",
        "Set 8TD² + 4TD·d_ff = 4T²D, and divide both sides by 4TD.",
    ),
    mistakes=(
        Mistake(
            "always_six_times",
            lambda D, F: 6 * D,
            "6·D holds for a feed-forward part four times as wide as the stream. Here its width is given.",
        ),
        Mistake(
            "projections_forgotten",
            lambda D, F: F,
            "You compared with the feed-forward part alone. Query, key, value and output are matrices, too.",
        ),
        Mistake(
            "feed_forward_forgotten",
            lambda D, F: 2 * D,
            "You compared with the four matrices of attention alone. The feed-forward part has two more.",
        ),
        Mistake(
            "output_forgotten",
            lambda D, F: 1.5 * D + F,
            "You counted three matrices in attention. The fourth is the output, W_o.",
        ),
        Mistake(
            "one_map_only",
            lambda D, F: 2 * D + F / 2,
            "The feed-forward part has two maps, up and down. You counted one.",
        ),
        Mistake(
            "half_of_scores_and_mixtures",
            lambda D, F: 4 * D + 2 * F,
            "You counted half of the scores and mixtures, one of them or one operation in place of two: "
            "each costs 2T²D.",
        ),
        Mistake(
            "factor_two_on_one_side",
            lambda D, F: D + F / 2,
            "On one side you counted a multiplication and an addition as two operations, on the "
            "other as one.",
        ),
        Mistake(
            "both_widths_for_one_matrix",
            lambda d_model, d_ff: 4 * d_model**2 + 2 * d_model * d_ff,
            "That is how many weights the matrices have. Set the costs equal and solve for the "
            "length: one d_model cancels.",
        ),
        Mistake(
            "one_width_too_many",
            lambda d_model, d_ff: 3 * d_model + d_ff,
            "That is one d_model too many. There are four matrices of attention: together 8TD² operations.",
        ),
        Mistake(
            "six_times_a_quarter_of_d_ff",
            lambda D, F: 1.5 * F,
            "You took d_ff for 4·D, and your answer has no d_model. Both widths are free: use both.",
        ),
        Mistake(
            "twice_the_feed_forward_part",
            lambda D, F: 2 * D + 2 * F,
            "You counted the feed-forward part twice. Its two maps cost 2TD·d_ff each, together 4TD·d_ff.",
        ),
        Mistake(
            "d_ff_as_a_factor",
            lambda D, F: 2 * D + F * D,
            "You took d_ff for the number of times that the inside is wider. It is the width itself.",
        ),
        Mistake(
            "one_more",
            lambda D, F: 2 * D + F + 1,
            "You added 1. Asked is the length at which both costs are equal, not the first one above.",
        ),
        Mistake(
            "bracket_forgotten",
            lambda D, F: 8 * D * D + 4 * D * F / (4 * D),
            "You divided the last term alone. Put the sum in brackets before you divide.",
        ),
    ),
    alternatives=(
        lambda D, F: (8 * D * D + 4 * D * F) / (4 * D),
        lambda D, F: next(n for n in range(1, 10**6) if 4 * n * D >= 8 * D * D + 4 * D * F),
    ),
    stars=2,
    minutes=15,
)
