"""15.copy_weights: Copy weights, strictly."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .copy_weights_wrong import MORE, TRANSPOSED, _strict, _turn, _where
from .drivers import copied
from .shared import random_gpt2


def copy_weights(file, wanted):
    """Return a dict of the arrays in the shapes that are wanted, for a file (name -> array) of GPT-2."""
    if missing := sorted(set(wanted) - set(file)):
        raise ValueError(f"The file has no tensor {missing[0]}.")
    if extra := sorted(set(file) - set(wanted)):
        raise ValueError(f"Nobody wants the tensor {extra[0]}.")
    found = {name: file[name].T if name.endswith(TRANSPOSED) else file[name] for name in wanted}
    for name, shape in wanted.items():
        if found[name].shape != tuple(shape):
            raise ValueError(f"{name} has shape {found[name].shape}, wanted is {tuple(shape)}.")
    return found


def _by_shape(file, wanted):
    """Transpose only where the shape does not fit as it is."""
    return _strict(file, wanted, lambda name, array: array if array.shape == tuple(wanted[name]) else array.T)


def _reshaped(file, wanted):
    """Give the tensors of a Conv1D the opposite shape, and leave the order of the numbers as it is."""
    return _strict(
        file,
        wanted,
        lambda name, array: array.reshape(array.shape[::-1]) if name.endswith(TRANSPOSED) else array,
    )


def _extra_by_key(file, wanted):
    """Look up each tensor of the file in what is wanted."""
    _strict(file, {name: wanted[name] for name in file}, _turn, missing=False)
    return _strict(file, wanted, _turn)


def _refused(file, wanted):
    _strict(file, wanted, _turn, shapes=False)
    raise ValueError(next(iter(wanted)))


def _copy_cases(rng):
    D, V = (int(n) for n in rng.permutation([3, 4, 5])[:2])
    file = random_gpt2(rng, V, 6, D, 1)
    wanted = {
        name: array.T.shape if name.endswith(TRANSPOSED) else array.shape for name, array in file.items()
    }
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


EXERCISE = Exercise(
    id="15.copy_weights",
    title="Copy weights, strictly",
    reference=copy_weights,
    cases=_copy_cases,
    hints=(
        "First compare the two sets of names. Then turn what must be turned. Then compare shapes. Each "
        "refusal says the name of the tensor.",
        "set(wanted) - set(file) is missing, set(file) - set(wanted) is too many. name.endswith(...) takes a "
        "tuple of endings.",
        "found = {name: file[name].T if name.endswith(CONV1D) else file[name] for name in wanted}; then "
        "`if found[name].shape != tuple(shape): raise ValueError(...)`.",
    ),
    mistakes=(
        Mistake(
            "transposed_by_shape",
            _by_shape,
            "You transpose where the shape does not fit. A square Conv1D fits both ways, and stays wrong. "
            "Go by the name.",
        ),
        Mistake(
            "nothing_transposed",
            _where(lambda name, array: False),
            "Conv1D keeps (in, out), wanted is (out, in): transpose the tensors whose names end in "
            "c_attn.weight, c_proj.weight and c_fc.weight.",
        ),
        Mistake(
            "everything_transposed",
            _where(lambda name, array: True),
            "You transposed the tables of tokens and positions as well. Only Conv1D is stored as (in, out).",
        ),
        Mistake(
            "reshaped_to_the_opposite_shape",
            _reshaped,
            "Your shapes are right, but the numbers kept their reading order, as after a reshape. Use .T: "
            "row 0 becomes column 0.",
        ),
        Mistake(
            "extra_ends_in_a_key_error",
            _extra_by_key,
            "Where nobody wants a tensor, your answer ends with a KeyError. Look for extra names first, and "
            "raise a ValueError.",
        ),
        Mistake(
            "every_shape_refused",
            _refused,
            "You refuse shapes that are right. A tuple is never equal to a list, nor to a number: compare "
            "array.shape with tuple(wanted[name]).",
        ),
        Mistake(
            "first_tensor_alone",
            lambda file, wanted: dict(list(_strict(file, wanted, _turn, shapes=False).items())[:1]),
            "One tensor alone came back. The `return` stands inside the loop: move it to the left.",
        ),
        Mistake(
            "wrong_shape_left_out",
            lambda file, wanted: {
                name: array
                for name, array in _strict(file, wanted, _turn, shapes=False).items()
                if array.shape == tuple(wanted[name])
            },
            "A tensor of a wrong shape is left out, and all goes on. Raise a ValueError that names it.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda file, wanted: _strict(file, wanted, _turn),
        lambda file, wanted: {name: np.array(array) for name, array in copy_weights(file, wanted).items()},
    ),
    stars=2,
    minutes=20,
    driver=copied,
)
