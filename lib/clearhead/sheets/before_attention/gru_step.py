"""03.gru_step: One step of a GRU, as PyTorch computes it."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import recurrent
from clearhead.maths.layers import sigmoid

from .gru_step_wrong import MORE
from .shared import sizes


def gru_step(x, h, W, U, b, d):
    """Return the memory h (F) after one more token x (D), as PyTorch computes it."""
    return recurrent.gru_step(x, h, {"input": {"weight": W, "bias": b}, "hidden": {"weight": U, "bias": d}})


def _gru_ending(ending):
    """Return a GRU step that is right up to the gates r, z and the parts of the proposal."""

    def answer(x, h, W, U, b, d):
        r_x, z_x, n_x = np.split(x @ W + b, 3)
        r_h, z_h, n_h = np.split(h @ U + d, 3)
        return ending(sigmoid(r_x + r_h), sigmoid(z_x + z_h), n_x, n_h, h)

    return answer


def _reset_before(x, h, W, U, b, d, swapped=False):
    """Return a GRU whose r multiplies the memory before the matrix."""
    F = len(h)
    gates = sigmoid((x @ W + b + h @ U + d)[: 2 * F])
    r, z = gates[:F], gates[F:]
    n = np.tanh((x @ W + b + d)[2 * F :] + (r * h) @ U[:, 2 * F :])
    return (1 - z) * h + z * n if swapped else (1 - z) * n + z * h


def _with_gates(squash, x, h, W, U, b, d):
    """Return a GRU step whose gates go through another function."""
    r_x, z_x, n_x = np.split(x @ W + b, 3)
    r_h, z_h, n_h = np.split(h @ U + d, 3)
    r, z = squash(r_x + r_h), squash(z_x + z_h)
    return (1 - z) * np.tanh(n_x + r * n_h) + z * h


def _gru_cut(order):
    """Return a GRU step that takes the three parts of the columns in another order."""

    def answer(x, h, W, U, b, d):
        place = [order.index(part) for part in "rzn"]
        sorted_as = np.concatenate([np.arange(len(h)) + len(h) * p for p in place])
        return gru_step(x, h, W[:, sorted_as], U[:, sorted_as], b[sorted_as], d[sorted_as])

    return answer


def _gru_cases(rng):
    D, F = sizes(rng, 2)
    shapes = ((D,), (F,), (D, 3 * F), (F, 3 * F), (3 * F,), (3 * F,))
    drawn = tuple(rng.normal(size=shape) for shape in shapes)
    zeros = tuple(np.zeros(shape) for shape in ((2, 3), (1, 3), (3,), (3,)))
    stays = np.repeat([0.0, 40, 0], F)
    kept = ("with z = 1 the memory stays", lambda out, x, h, *weights: np.allclose(out, h))
    return [
        Case(
            "all weights zero, h = 3",
            (np.zeros(2), np.array([3]), *zeros),
            "r = z = 0.5 and n = 0, so h = 0.5 · 0 + 0.5 · 3 = 1.5.",
            expected=np.array([1.5]),
        ),
        Case("random", drawn, "The columns come in the order r, z, n; r acts after the matrix."),
        Case(
            "z is 1",
            (*drawn[:2], 0 * drawn[2], 0 * drawn[3], stays, 0 * drawn[5]),
            "In PyTorch z is the part that stays.",
            properties=(kept,),
        ),
        Case("a large memory", (drawn[0], 2 * drawn[1], *drawn[2:]), "Where exactly does r stand?"),
    ]


EXERCISE = Exercise(
    id="03.gru_step",
    title="One step of a GRU, as PyTorch computes it",
    reference=gru_step,
    cases=_gru_cases,
    hints=(
        "Keep the part from the token and the part from the memory separate: r acts on one of them only.",
        "r_x, z_x, n_x = np.split(x @ W + b, 3), and in the same way r_h, z_h, n_h = np.split(h @ U + d, 3).",
        "n = np.tanh(n_x + r * n_h), and (1 - z) * n + z * h comes back.",
    ),
    mistakes=(
        Mistake(
            "the_convention_of_some_texts",
            lambda *given: _reset_before(*given, swapped=True),
            "This is the GRU of some texts. PyTorch differs twice: z is the part that stays, and r acts "
            "after the matrix.",
        ),
        Mistake(
            "r_before_the_matrix",
            _reset_before,
            "Your r multiplies h before the matrix. In PyTorch it multiplies the product, with its bias: "
            "r * (h @ U_n + d_n).",
        ),
        Mistake(
            "z_is_what_is_new",
            _gru_ending(lambda r, z, n_x, n_h, h: z * np.tanh(n_x + r * n_h) + (1 - z) * h),
            "z and 1 - z have changed places. In PyTorch z is the part of the old memory that stays.",
        ),
        Mistake(
            "reset_left_out",
            _gru_ending(lambda r, z, n_x, n_h, h: (1 - z) * np.tanh(n_x + n_h) + z * h),
            "The gate r is not used. It multiplies the part of the proposal that comes from the memory.",
        ),
        Mistake(
            "reset_and_update_exchanged",
            _gru_ending(lambda r, z, n_x, n_h, h: (1 - r) * np.tanh(n_x + z * n_h) + r * h),
            "r and z have changed places: the columns come in the order r, z, n.",
        ),
        *(
            Mistake(
                f"columns_in_the_order_{order}",
                _gru_cut(order),
                f"You use the columns as if in the order {', '.join(order)}. PyTorch's order, as here, is "
                "r, z, n.",
            )
            for order in ("rnz", "nrz", "nzr", "znr")
        ),
        Mistake(
            "gates_not_squashed",
            lambda x, h, W, U, b, d: _with_gates(lambda gate: gate, x, h, W, U, b, d),
            "Your gates r and z are used as they are. A gate is a share between 0 and 1: sigmoid.",
        ),
        Mistake(
            "gates_through_tanh",
            lambda x, h, W, U, b, d: _with_gates(np.tanh, x, h, W, U, b, d),
            "Your gates go through tanh, and can be negative. A gate is a share between 0 and 1: sigmoid.",
        ),
        Mistake(
            "proposal_returned",
            _gru_ending(lambda r, z, n_x, n_h, h: np.tanh(n_x + r * n_h)),
            "You returned the proposal n alone. Old and new must share: (1 - z) * n + z * h.",
        ),
        Mistake(
            "reset_on_everything",
            _gru_ending(lambda r, z, n_x, n_h, h: (1 - z) * np.tanh(r * (n_x + n_h)) + z * h),
            "Your r multiplies the token, too. It only stands before the part that comes from the memory.",
        ),
        Mistake(
            "bias_outside_the_reset",
            lambda x, h, W, U, b, d: gru_step(
                x, h, W, U, b + d * (np.arange(len(d)) >= 2 * len(h)), d * (np.arange(len(d)) < 2 * len(h))
            ),
            "The bias d of the proposal stands outside r. In PyTorch r multiplies this bias, too.",
        ),
        Mistake(
            "proposal_not_squashed",
            _gru_ending(lambda r, z, n_x, n_h, h: (1 - z) * (n_x + r * n_h) + z * h),
            "The tanh around the proposal n is missing.",
        ),
        Mistake(
            "bias_of_the_memory_forgotten",
            lambda x, h, W, U, b, d: gru_step(x, h, W, U, b, 0 * d),
            "You left out d, the bias of the memory. It is added to h @ U.",
        ),
        Mistake(
            "bias_of_the_token_forgotten",
            lambda x, h, W, U, b, d: gru_step(x, h, W, U, 0 * b, d),
            "You left out b, the bias of the token. It is added to x @ W.",
        ),
        Mistake(
            "proposal_through_a_sigmoid",
            _gru_ending(lambda r, z, n_x, n_h, h: (1 - z) * sigmoid(n_x + r * n_h) + z * h),
            "Your proposal went through a sigmoid. It goes through tanh: it may be negative.",
        ),
        Mistake(
            "old_memory_dropped",
            _gru_ending(lambda r, z, n_x, n_h, h: (1 - z) * np.tanh(n_x + r * n_h)),
            "The old memory is missing: add z * h.",
        ),
        Mistake(
            "both_shares_are_z",
            _gru_ending(lambda r, z, n_x, n_h, h: z * np.tanh(n_x + r * n_h) + z * h),
            "Both shares are z. Old and new must share: (1 - z) * n + z * h.",
        ),
        *MORE,
    ),
    alternatives=(_gru_ending(lambda r, z, n_x, n_h, h: h + (1 - z) * (np.tanh(n_x + r * n_h) - h)),),
    stars=3,
    minutes=20,
)
