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
            "wte.weight stays as it is. c_fc.weight is stored as (in, out) and wanted as (out, in), "
            "so it is transposed.",
            expected={"wte.weight": tiny["wte.weight"], "c_fc.weight": np.array([[1.0, 4], [2, 5], [3, 6]])},
        ),
        Case(
            "square tensors",
            (square, {name: (D, D) for name in square}),
            "Square tensors with the names of a linear map are transposed, too. The other square "
            "tensors stay as they are.",
        ),
        Case(
            "a whole block, with its tensors in another order",
            (shuffled, wanted),
            "Find the tensors by their names, and not by their order.",
        ),
        Case(
            "a missing tensor",
            ({name: file[name] for name in file if name != lost}, wanted),
            f"{lost} is missing, so raise a ValueError that names it.",
        ),
        Case(
            "a tensor that is not wanted",
            (file | {"h.9.attn.masked_bias": np.zeros(1)}, wanted),
            "h.9.attn.masked_bias is not wanted, so raise a ValueError that names it.",
        ),
        Case(
            "a tensor with another name",
            ({f"transformer.{name}" if name == lost else name: file[name] for name in file}, wanted),
            f"{lost} is missing, and transformer.{lost} is not wanted. Raise a ValueError that names "
            "one of them.",
        ),
        Case(
            "a tensor with another shape",
            (file | {broken: rng.normal(size=(D + 1, 2))}, wanted),
            f"{broken} does not have the wanted shape, so raise a ValueError that names it.",
        ),
        Case(
            "the right number of entries in the wrong shape",
            (file | {broken: file[broken].reshape(1, -1)}, wanted),
            f"{broken} has as many entries as wanted, but another shape. Raise a ValueError that names it.",
        ),
        Case(
            "a tensor that is already transposed",
            (file | {broken: file[broken].T}, wanted),
            f"{broken} is already (out, in), so transposing it gives the wrong shape. Raise a ValueError "
            "that names it.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, driver=copied)
