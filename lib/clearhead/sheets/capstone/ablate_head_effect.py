"""15.ablate_head_effect: Silence a head."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .ablate_head_effect_wrong import MORE


def ablate_head_effect(Z, W_o, U, head):
    """Return how the logits (T, V) change when a head is silent: Z (H, T, d), W_o (H d, D), U (D, V)."""
    d = Z.shape[-1]
    return -Z[head] @ W_o[head * d : (head + 1) * d] @ U


def _logits(Z, W_o, U):
    """Return what all heads write, as logits."""
    return np.concatenate(list(Z), axis=-1) @ W_o @ U


def _ablation_cases(rng):
    def drawn(H, T, d, D, V, head):
        sizes = (H, T, d), (H * d, D), (D, V)
        return (*(rng.normal(size=size) for size in sizes), head)

    by_hand = (
        np.array([[[1.0], [2.0]], [[10.0], [20.0]]]),
        np.array([[1.0, 0.0], [0.0, 3.0]]),
        np.eye(2),
        1,
    )
    H, d = (int(n) for n in rng.permutation([2, 3, 4])[:2])
    T, V = (int(n) for n in rng.permutation([5, 6, 7])[:2])
    return [
        Case(
            "two heads of one number, by hand",
            by_hand,
            "Head 1 gives 10 and 20. Its row of W_o is (0, 3), so the second logit loses 30 and 60.",
            expected=np.array([[0.0, -30.0], [0.0, -60.0]]),
        ),
        Case(
            f"{H} heads, the first",
            drawn(H, T, d, H * (d + 1), V, 0),
            "Which rows of W_o belong to head 0?",
        ),
        Case(
            f"{H} heads, the last",
            drawn(H, T, d, H * d - 1, V, H - 1),
            "Head h has rows h d to (h + 1) d.",
        ),
        Case("as many heads as columns of each", drawn(3, T, 3, 9, V, 1), "H = d = 3: mind what is which."),
        Case("a single head", drawn(1, 4, 5, 6, 3, 0), "Without its only head nothing is written at all."),
    ]


def _wrong_rows(Z, W_o, U, head):
    d, silent = Z.shape[-1], W_o.copy()
    silent[:, head * d : (head + 1) * d] = 0
    return _logits(Z, silent, U) - _logits(Z, W_o, U)


def _in_place(Z, W_o, U, head):
    d, before = Z.shape[-1], _logits(Z, W_o, U)
    W_o[head * d : (head + 1) * d] = 0
    return _logits(Z, W_o, U) - before


EXERCISE = Exercise(
    id="15.ablate_head_effect",
    title="Silence a head",
    reference=ablate_head_effect,
    cases=_ablation_cases,
    hints=(
        "What the heads write is a sum, one term a head. Which term is missing when a head is silent?",
        "With d = Z.shape[-1], head h owns the rows h d to (h + 1) d of W_o. It writes Z[h] @ those rows.",
        "-Z[head] @ W_o[head * d : (head + 1) * d] @ U",
    ),
    mistakes=(
        Mistake(
            "sign_exchanged",
            lambda Z, W_o, U, head: -ablate_head_effect(Z, W_o, U, head),
            "This is what the head adds. The effect of silencing it is the new logits minus the old ones.",
        ),
        Mistake(
            "columns_of_W_o",
            _wrong_rows,
            "You set columns of W_o, or rows of U, to zero. They are the stream: a head owns rows of W_o.",
        ),
        Mistake(
            "every_Hth_row",
            lambda Z, W_o, U, head: -Z[head] @ W_o[head :: len(Z)] @ U,
            "Your head owns every H-th row of W_o. Its rows lie side by side: h d to (h + 1) d.",
        ),
        Mistake(
            "keeps_only_this_head",
            lambda Z, W_o, U, head: -_logits(Z, W_o, U) - ablate_head_effect(Z, W_o, U, head),
            "This is minus the logits without the head, as if all the others were silent. Silence this one: "
            "the logits without it, minus those with it.",
        ),
        Mistake(
            "logits_not_their_change",
            lambda Z, W_o, U, head: _logits(Z, W_o, U) + ablate_head_effect(Z, W_o, U, head),
            "These are the logits without the head. Subtract those with it to get the effect.",
        ),
        Mistake(
            "changes_the_weights",
            _in_place,
            "Your numbers are right, but you wrote zeros into the caller's W_o, and the head stays silent "
            "for ever. Work on a copy.",
        ),
        Mistake(
            "counted_from_one",
            lambda Z, W_o, U, head: ablate_head_effect(Z, W_o, U, head - 1),
            "You counted heads from 1. The first one is 0.",
        ),
        Mistake(
            "always_the_first_head",
            lambda Z, W_o, U, head: ablate_head_effect(Z, W_o, U, 0),
            "You always silence head 0. Silence `head`.",
        ),
        Mistake(
            "sign_lost",
            lambda Z, W_o, U, head: np.abs(ablate_head_effect(Z, W_o, U, head)),
            "The sign is lost. A logit may rise or fall.",
        ),
        Mistake(
            "change_of_the_stream",
            lambda Z, W_o, U, head: (lambda d: -Z[head] @ W_o[head * d : (head + 1) * d])(Z.shape[-1]),
            "That is the change of the stream. Multiply by U to get logits.",
        ),
        Mistake(
            "d_columns_for_the_whole_W_o",
            lambda Z, W_o, U, head: (Z.sum(axis=0) - Z[head]) @ W_o @ U - Z.sum(axis=0) @ W_o @ U,
            "What one head mixed, or all added up, is (T, d), and W_o has H d rows. Take this head's d rows, "
            "or put the heads side by side.",
        ),
        Mistake(
            "the_next_head",
            lambda Z, W_o, U, head: ablate_head_effect(Z, W_o, U, (head + 1) % len(Z)),
            "You silenced the next head. Heads are counted from 0.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda Z, W_o, U, head: (
            _logits(np.where(np.arange(len(Z))[:, None, None] == head, 0, Z), W_o, U) - _logits(Z, W_o, U)
        ),
        lambda Z, W_o, U, head: -(Z[head] @ W_o.reshape(len(Z), Z.shape[-1], -1)[head]) @ U,
    ),
    stars=2,
    minutes=15,
)
