"""Cases of 15.copy_weights."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes

from .drivers import copied
from .shared import random_gpt2

CONV1D = ("c_attn.weight", "c_proj.weight", "c_fc.weight")


def cases(rng):
    D, V = different_sizes(rng, 2, 3, 5)
    file = random_gpt2(rng, V, 6, D, 1)
    wanted = {name: array.T.shape if name.endswith(CONV1D) else array.shape for name, array in file.items()}
    shuffled = {str(name): file[str(name)] for name in rng.permutation(sorted(file))}
    broken = str(rng.choice(["h.0.mlp.c_fc.weight", "h.0.attn.c_attn.weight"]))
    lost = str(rng.choice(["h.0.ln_2.bias", "wpe.weight", "h.0.attn.c_proj.bias"]))
    squares = ("wte.weight", "h.0.attn.c_proj.weight", "lm_head.weight", "c_table.weight", "c_fc.weight_g")
    square = {name: rng.normal(size=(D, D)) for name in squares}
    tiny = {"wte.weight": np.array([[1.0, 2], [3, 4]]), "c_fc.weight": np.array([[1.0, 2, 3], [4, 5, 6]])}
    return [
        Case(
            "two tensors, by hand",
            (tiny, {"wte.weight": (2, 2), "c_fc.weight": (3, 2)}),
            "wte stays as it is; c_fc is stored as (in, out) and wanted as (out, in).",
            expected={"wte.weight": tiny["wte.weight"], "c_fc.weight": np.array([[1.0, 4], [2, 5], [3, 6]])},
        ),
        Case(
            "square tensors",
            (square, {name: (D, D) for name in square}),
            "A square Conv1D is transposed, too. The other squares stay as they are.",
        ),
        Case("a whole block, in another order", (shuffled, wanted), "Go by the names, not by the order."),
        Case(
            "one tensor is missing",
            ({name: file[name] for name in file if name != lost}, wanted),
            f"Raise a ValueError that names {lost}.",
        ),
        Case(
            "one tensor too many",
            (file | {"h.9.attn.masked_bias": np.zeros(1)}, wanted),
            "Raise a ValueError that names h.9.attn.masked_bias.",
        ),
        Case(
            "one tensor has another name",
            ({f"transformer.{name}" if name == lost else name: file[name] for name in file}, wanted),
            f"{lost} is missing, and transformer.{lost} is too many: as many names, and not the same. "
            "Raise a ValueError that names one of them.",
        ),
        Case(
            "one tensor has another shape",
            (file | {broken: rng.normal(size=(D + 1, 2))}, wanted),
            f"Raise a ValueError that names {broken}.",
        ),
        Case(
            "the right count of numbers in the wrong shape",
            (file | {broken: file[broken].reshape(1, -1)}, wanted),
            f"{broken} has as many numbers as wanted, but not (in, out). Raise a ValueError that names it.",
        ),
        Case(
            "one tensor is turned already",
            (file | {broken: file[broken].T}, wanted),
            f"{broken} is (out, in) already, so it is not as wanted after transposing. Raise a ValueError.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, driver=copied)
