"""Say errors of NumPy and PyTorch in one plain sentence: shapes that do not fit, and slips of Python."""

import ast
import linecache
import re

PRODUCT = "A @ B needs the last size of A to be the first size of B"
STACKED = "A @ B needs the last size of A to be the last but one size of B"
CORE = re.compile(r"matmul: .* mismatch in its core dimension .*\(size (\d+) is different from (\d+)\)")
ALIGNED = re.compile(r"shapes (\(.*?\)) and (\(.*?\)) not aligned: (\d+) .* != (\d+) ")
TORCH_PRODUCT = re.compile(r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)")
TOGETHER = re.compile(r"operands could not be broadcast together with shapes ((?:\([\d,]*\) ?)+)")
REMAPPED = re.compile(r"\[original->remapped\]: (\([\d,]*\))->\S+ (\([\d,]*\))->")
TORCH_TOGETHER = re.compile(r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)")


SLIPS = {
    r"ufunc 'bitwise_xor' not supported|for \^: 'float'": "`^` is no power in Python: write `**`",
    r"Cannot interpret '\d+' as a data": "a shape is one argument, in brackets: `np.zeros((T, D))`",
    r"transpose\(\) received an invalid combination|transpose\(\) takes 2 positional arguments but": (
        "PyTorch's `transpose` exchanges two axes, `x.transpose(1, 2)`; `permute` takes all of them"
    ),
    r"inhomogeneous shape": "an array was made of parts that have not all the same shape",
    r"too many values to unpack": "more parts came than names that take them",
    r"not enough values to unpack": "fewer parts came than names that take them",
}


def meaning(error):
    """Return what an error of shapes, or of a common slip, says in plain words; "" for any other error."""
    said = str(error)[:500]  # a message may be long, and the clock runs
    if found := CORE.search(said):
        return _product(*_operands(error), found[2], found[1])
    if found := ALIGNED.search(said):
        return _product(*map(ast.literal_eval, found.groups()[:2]), found[3], found[4])
    if found := TORCH_PRODUCT.search(said):
        sizes = [int(size) for size in found.groups()]
        return _product(tuple(sizes[:2]), tuple(sizes[2:]), sizes[1], sizes[2])
    if found := TOGETHER.search(said):
        shapes = [str(ast.literal_eval(shape)) for shape in found[1].split()]
        return f"the shapes {' and '.join(shapes)} do not fit together number by number: {_RULE}"
    if found := REMAPPED.search(said):
        left, right = map(ast.literal_eval, found.groups())
        return f"you multiplied {left} by {right}: the sizes before the last two axes do not fit: {_RULE}"
    if found := TORCH_TOGETHER.search(said):
        return f"the sizes {found[1]} and {found[2]} do not fit together number by number: {_RULE}"
    return next((f"{plain} ({said})" for slip, plain in SLIPS.items() if re.search(slip, said)), "")


_RULE = "counted from the last axis, two sizes must be equal, or one of them must be 1"


def _product(left, right, last, first):
    """Return the sentence on a product whose sizes do not meet; a shape may be unknown (None)."""
    if left is None or right is None:
        return f"a product with @ has sizes that do not meet, {last} and {first}: {PRODUCT}"
    rule = STACKED if len(right) > 2 else PRODUCT
    return f"you multiplied {left} by {right}: {last} and {first} do not meet. {rule}"


def _operands(error):
    """Return the shapes of both sides of the @ that raised, None for a side that is no plain name."""
    step = error.__traceback__
    while step.tb_next is not None:
        step = step.tb_next
    frame = step.tb_frame
    place = list(frame.f_code.co_positions())[step.tb_lasti // 2]
    product = _expression(frame.f_code.co_filename, *place)
    if not (isinstance(product, ast.BinOp) and isinstance(product.op, ast.MatMult)):
        return None, None
    names = frame.f_globals | frame.f_locals
    return _shape(product.left, names), _shape(product.right, names)


def _expression(path, first, last, start, end):
    """Return the expression at a place in a file as a syntax tree, None where it cannot be read."""
    if None in (first, last, start, end):
        return None
    lines = [linecache.getline(path, number).encode() for number in range(first, last + 1)]
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    try:
        return ast.parse(f"({b''.join(lines).decode()})", mode="eval").body
    except (SyntaxError, UnicodeDecodeError):
        return None


def _shape(side, names):
    """Return the shape of a name or of its transpose; nothing of the answer is run to find it."""
    if isinstance(side, ast.Attribute) and side.attr in ("T", "mT"):
        shape = _shape(side.value, names)
        return shape and (shape[::-1] if side.attr == "T" else (*shape[:-2], shape[-1], shape[-2]))
    value = names.get(side.id) if isinstance(side, ast.Name) else None
    return (
        tuple(value.shape)
        if type(value).__module__ in ("numpy", "torch") and hasattr(value, "shape")
        else None
    )
