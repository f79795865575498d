"""Explanations of errors from NumPy, PyTorch or Python: which rule was broken, and what to write instead.

Beginners make the same dozen mistakes in every exercise: an axis that a sum has dropped, a tuple that was not
unpacked, `*=` on an array of integers. The messages of the libraries name the symptom, and the sentences here
say what it means in the student's own line. They depend only on the error, so they hold for every exercise.
"""

# ruff: noqa: E501 -- sentences, and patterns of messages

import ast
import inspect
import linecache
import re

BROADCAST = "compared from the last axis on, two sizes must be equal, or one of them must be 1"
REDUCTIONS = ("mean", "sum", "max", "min", "amax", "amin", "var", "std", "prod", "norm", "logsumexp")


def explanation(error):
    """Return an explanation of an error in plain words, or "" if none of the rules recognises the error.

    None of the student's code is run for the explanation. It depends only on the message, the source of the
    function that raised the error, and the shapes of the variables in the line.
    """
    message = str(error)[:500]  # a message may be long, and the time of an answer is limited
    location = _Location(error)
    for pattern, words in _RULES.items():
        if found := re.search(pattern, message):
            sentence = words(found, location) if callable(words) else f"{words} ({message})"
            if sentence:
                return sentence
    return ""


def _unpacked(elsewhere, by_the_check):
    """Return a rule for values that could not be unpacked: by the student's line, or from the student's result."""

    def rule(found, location):
        return f"{by_the_check if location.unpacks_the_answer() else elsewhere} ({location.message})"

    return rule


class _Location:
    """The line of code that raised an error, with its syntax tree and the variables in its scope."""

    def __init__(self, error):
        step = error.__traceback__
        while step is not None and step.tb_next is not None:
            step = step.tb_next
        self.step, self.type, self.message = step, type(error).__name__, str(error)[:500]

    @property
    def variables(self):
        """Return a dict of the variables in the scope of the line, by name."""
        frame = self.step.tb_frame
        return frame.f_globals | frame.f_locals

    def unpacks_the_answer(self):
        """Return True if the line belongs to the driver of an exercise and unpacks what the answer returned."""
        if self.step is None or not self.step.tb_frame.f_code.co_filename.endswith("drivers.py"):
            return False
        return " = answer(" in linecache.getline(self.step.tb_frame.f_code.co_filename, self.step.tb_lineno)

    def expression(self):
        """Return the syntax tree of the expression that raised the error, or None if it cannot be read."""
        code = self.step.tb_frame.f_code
        first, last, start, end = list(code.co_positions())[self.step.tb_lasti // 2]
        if None in (first, last, start, end):
            return None
        lines = [linecache.getline(code.co_filename, number).encode() for number in range(first, last + 1)]
        lines[-1] = lines[-1][:end]
        lines[0] = lines[0][start:]
        source = b"\n".join(line.rstrip(b"\n") for line in lines).decode(errors="replace")
        for form in (f"({source})", source):
            try:
                return ast.parse(form).body[0]
            except (SyntaxError, IndexError):
                continue
        return None

    def operands(self, kind):
        """Return the shapes of both operands of the operator that failed, None for each unknown shape."""
        found = self.expression()
        operation = found.value if isinstance(found, ast.Expr) else found
        if not (isinstance(operation, ast.BinOp) and isinstance(operation.op, kind)):
            return None, None
        return _shape(operation.left, self.variables), _shape(operation.right, self.variables)

    def reductions(self):
        """Return the calls in the failing function that drop an axis, such as "x.mean(axis=-1)"."""
        try:
            tree = ast.parse(inspect.cleandoc("\n" + inspect.getsource(self.step.tb_frame.f_code)))
        except (OSError, TypeError, SyntaxError, ValueError):
            return []
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        return [ast.unparse(call) for call in calls if _drops_an_axis(call)]

    def updated(self):
        """Return the name and the operator of a failed in-place update, such as ("c", "*="), or None."""
        found = self.expression()
        line = linecache.getline(self.step.tb_frame.f_code.co_filename, self.step.tb_lineno)
        text = ast.unparse(found) if isinstance(found, ast.AugAssign) else line
        match = re.match(r"\s*(\w+(?:\[[^=]*\])?)\s*([-+*/@%]|//|\*\*)=", text)
        return (match[1], f"{match[2]}=") if match else None


def _drops_an_axis(call):
    """Return True for a call such as `x.mean(axis=-1)` whose result has one axis fewer than x."""
    named = {keyword.arg for keyword in call.keywords}
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return name in REDUCTIONS and bool(named & {"axis", "dim"}) and not named & {"keepdims", "keepdim"}


def _shape(side, variables):
    """Return the shape of a variable or of its transpose, or None if it is unknown without running code."""
    if isinstance(side, ast.Attribute) and side.attr in ("T", "mT"):
        shape = _shape(side.value, variables)
        return shape and (shape[::-1] if side.attr == "T" else (*shape[:-2], shape[-1], shape[-2]))
    value = variables.get(side.id) if isinstance(side, ast.Name) else None
    library = type(value).__module__.partition(".")[0]
    return tuple(value.shape) if library in ("numpy", "torch") and hasattr(value, "shape") else None


def _together(found, location):
    """Explain shapes that cannot be broadcast together."""
    shapes = [ast.literal_eval(shape) for shape in re.findall(r"\([\d,]*\)", found[1])]
    *front, last = map(str, shapes)
    sentence = f"the shapes {', '.join(front)} and {last} cannot be broadcast together: {BROADCAST}"
    dropped = _axis_dropped(shapes)
    if dropped is None:
        return sentence
    calls = location.reductions() if location.step else []
    kept = str(tuple(dropped))
    if len(calls) == 1:
        return (
            f"{sentence}. `{calls[0]}` drops the axis along which it reduces. With keepdims=True it keeps that axis "
            f"with size 1, and {kept} fits"
        )
    return (
        f"{sentence}. If one is a mean, sum or maximum of the other, keepdims=True gives it the shape {kept}"
    )


def _axis_dropped(shapes):
    """Return the smaller shape with a dropped axis restored as size 1, or None if no axis was dropped."""
    if len(shapes) != 2:
        return None
    small, large = sorted(shapes, key=len)
    for axis in range(len(large)):
        if len(small) == len(large) - 1 and small == large[:axis] + large[axis + 1 :]:
            return (*large[:axis], 1, *large[axis + 1 :])
    return None


def _sizes_in_torch(found, location):
    """Explain sizes that PyTorch cannot broadcast, with both shapes if they are known."""
    left, right = _either(location)
    if left is not None and right is not None:
        return _together({1: f"{left} {right}".replace(" ", "").replace(")(", ") (")}, location)
    return f"the sizes {found[1]} and {found[2]} cannot be broadcast together: {BROADCAST}"


def _either(location):
    """Return the shapes of both operands of the binary operator that failed, whichever operator it is."""
    return location.operands(ast.operator) if location.step else (None, None)


def _core(found, location):
    """Explain a matrix product whose inner sizes differ."""
    left, right = location.operands(ast.MatMult) if location.step else (None, None)
    return _product(left, right, found[2], found[1])


def _product(left, right, last, first):
    """Return the sentence about a matrix product whose inner sizes differ, for shapes that may be None."""
    if left is None or right is None:
        return (
            f"the inner sizes of a product with @ differ, {last} and {first}: "
            "in A @ B the last size of A must equal the last but one size of B (the first of a matrix)"
        )
    sentence = f"you multiplied {left} by {right}, but the inner sizes {last} and {first} differ"
    if len(right) > 1 and len(left) > 0 and left[-1] == right[-1]:
        return f"{sentence}. With the second one transposed they would agree"
    if len(left) > 1 and left[-2] == right[max(len(right) - 2, 0)]:
        return f"{sentence}. With the first one transposed they would agree"
    rule = "last but one" if len(right) > 2 else "first"
    return f"{sentence}: A @ B needs the last size of A to be the {rule} size of B"


def _in_place(found, location):
    """Explain an update such as `c *= x` that would write floats into an array of integers."""
    name, operator = location.updated() or ("the array", "an operator such as *=")
    code = f"`{name} {operator} ...`" if location.updated() else "An update in place"
    plain = f"`{name} = {name} {operator[:-1]} ...`" if location.updated() else "x = x * ..."
    return (
        f"{code} writes its result into the array itself, which holds integers ({found[2]}) and cannot hold "
        f"{found[1]}. Write {plain} instead, which makes a new array and does not change the argument"
    )


def _in_place_torch(found, location):
    """Explain an in-place update of a tensor of integers."""
    return _in_place({1: f"torch.{found[1]}", 2: f"torch.{found[2]}"}, location)


def _assigned(found, location):
    """Explain a value that is assigned to a part of an array of another shape."""
    value, part = (str(ast.literal_eval(shape)) for shape in found.groups())
    return (
        f"the value on the right of = has the shape {value}, but the part of the array to which it is assigned "
        f"has the shape {part}"
    )


def _out_of_bounds(found, location):
    """Explain an index beyond the end of an axis."""
    index, axis, size = (int(group) for group in found.groups())
    if size == 0:
        return f"axis {axis} is empty, so it has no entry {index}"
    if size == 1:
        return f"axis {axis} has only one entry, with the index 0: there is no index {index}"
    return f"axis {axis} has {size} entries, with the indices 0 to {size - 1}: there is no index {index}"


def _reshaped(found, location):
    """Explain a reshape to a shape that has another number of entries."""
    size, shape = (
        int(found["size"]),
        tuple(int(n) for n in re.findall(r"-?\d+", found["shape"].replace("newaxis", "-1"))),
    )
    needed = 1
    for n in shape:
        needed *= abs(n)
    if -1 in shape:
        return f"reshape keeps all entries, but {size} entries cannot be arranged in the shape {shape}"
    return f"reshape keeps all entries, but there are {size} of them, and the shape {shape} has {needed}"


def _undefined(found, location):
    """Explain a name that is not defined."""
    name = found[1]
    if name in ("np", "torch", "plt"):
        return f"`{name}` is not imported: run the cell at the top that imports it"
    return (
        f"`{name}` does not exist when this line runs. Is it spelled as in its definition, and have you run that "
        "cell?"
    )


def _too_few_indices(found, location):
    """Explain an index expression with more indices than the array has axes."""
    return (
        f"the array has {found[1]} {'axis' if found[1] == '1' else 'axes'}, but you gave {found[2]} indices"
    )


def _concatenated(found, location):
    """Explain arrays that cannot be joined along an axis."""
    axis, one, other = found.groups()
    return (
        f"concatenated arrays may differ in size only along the axis along which they are joined, but along axis "
        f"{axis} they have the sizes {one} and {other}"
    )


UNPACK = (
    "a function that returns several values returns a tuple: unpack it, `Z, A = ...`, or take the part that you "
    "need, `[0]`"
)
TUPLE = f"this is a tuple, not an array. For example, {UNPACK}"
INTEGER = "an integer is needed here, but this is a float: `/` always gives a float, `//` divides integers"
LIST = "this is a list, not an array: convert it with `np.array(...)`"
#: Patterns in the messages of errors, each with its meaning: a sentence, or a function that writes one.
_RULES = {
    r"matmul: .* mismatch in its core dimension .*\(size (\d+) is different from (\d+)\)": _core,
    r"shapes (\(.*?\)) and (\(.*?\)) not aligned: (\d+) .* != (\d+) ": lambda found, location: _product(
        ast.literal_eval(found[1]), ast.literal_eval(found[2]), found[3], found[4]
    ),
    r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)": lambda found, location: (
        _product((int(found[1]), int(found[2])), (int(found[3]), int(found[4])), found[2], found[3])
    ),
    r"operands could not be broadcast together with shapes ((?:\([\d,]*\) ?)+)": _together,
    r"\[original->remapped\]: (\([\d,]*\))->\S+ (\([\d,]*\))->": lambda found, location: (
        f"you multiplied {ast.literal_eval(found[1])} by {ast.literal_eval(found[2])}, but the sizes before the "
        f"last two axes cannot be broadcast together: {BROADCAST}"
    ),
    r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)": _sizes_in_torch,
    r"non-broadcastable output operand with shape (\([\d,]*\)) doesn't match the broadcast shape (\([\d,]*\))": (
        lambda found, location: (
            f"an update in place cannot enlarge the array on its left from {ast.literal_eval(found[1])} to "
            f"{ast.literal_eval(found[2])}: write `x = x + y` instead, which makes a new array"
        )
    ),
    r"Cannot cast ufunc '\w+' output from dtype\('(\w+)'\) to dtype\('(\w+)'\)": _in_place,
    r"result type (\w+) can't be cast to the desired output type (\w+)": _in_place_torch,
    r"could not broadcast input array from shape (\([\d,]*\)) into shape (\([\d,]*\))": _assigned,
    r"index (-?\d+) is out of bounds for (?:dimension|axis) (\d+) with size (\d+)": _out_of_bounds,
    r"array is (\d+)-dimensional, but (\d+) were indexed": _too_few_indices,
    r"too many indices for tensor of dimension (\d+)()": lambda found, location: (
        f"the tensor has {found[1]} {'axis' if found[1] == '1' else 'axes'}, but you gave more indices"
    ),
    r"cannot reshape array of size (?P<size>\d+) into shape (?P<shape>\([\w, -]*\))": _reshaped,
    r"shape '(?P<shape>\[[\d, -]*\])' is invalid for input of size (?P<size>\d+)": _reshaped,
    r"along dimension (\d+), the array at index \d+ has size (\d+) and the array at index \d+ has size (\d+)": (
        _concatenated
    ),
    r"axis (-?\d+) is out of bounds for array of dimension (\d+)": lambda found, location: (
        f"there is no axis {found[1]}: "
        + {"0": "a single number has no axes", "1": "this array has only axis 0"}.get(
            found[2], f"this array has the axes 0 to {int(found[2]) - 1}"
        )
    ),
    r"inhomogeneous shape": (
        "an array cannot be made from parts of different shapes: check the shape of each part. If a part is the "
        "result of a function that returns a tuple, unpack it, `Z, A = ...`, or take the part that you need, `[0]`"
    ),
    r"'tuple' object has no attribute|can only concatenate tuple|tuple indices must be integers"
    r"|unsupported operand type\(s\) for \S+ '\w+' and 'tuple'"
    r"|unsupported operand type\(s\) for \S+ 'tuple' and '\w+'": TUPLE,
    r"cannot unpack non-iterable (?!NoneType)|iteration over a 0-d": _unpacked(
        "this is a single value, which cannot be unpacked or iterated over",
        "your result is a single value, but several values are needed",
    ),
    r"too many values to unpack": _unpacked(
        "there are more values than names to unpack them into", "your result has more values than are needed"
    ),
    r"not enough values to unpack": _unpacked(
        "there are fewer values than names to unpack them into",
        "your result has fewer values than are needed",
    ),
    r"'float' object cannot be interpreted as an integer|slice indices must be integers"
    r"|sequence by non-int of type 'float'|'numpy.float64' object cannot be interpreted"
    r"|indices must be integers or slices, not float": INTEGER,
    r"only integers, slices .* are valid indices|arrays used as indices must be of integer"
    r"|tensors used as indices must be": (
        "an index must be an integer, a slice, or an array of integers or booleans: `/` always gives a float, "
        "`//` divides integers"
    ),
    r"truth value of an array|Boolean value of Tensor with more than one": (
        "`if`, `and`, `or` and `not` need a single True or False, but this is a whole array of them: combine "
        "entries with `&`, `|` and `~`, choose with `np.where`, or reduce with `.all()` or `.any()`"
    ),
    r"only (?:length-1|size-1|0-dimensional) arrays can be converted|only one element tensors can be converted": (
        "a single number is needed here, but this is an array. Functions of `math` take one number, whereas "
        "NumPy's, such as `np.exp`, take arrays"
    ),
    r"list indices must be integers or slices, not tuple": LIST + ", which takes several indices",
    r"'list' object has no attribute '(?:shape|T|ndim|sum|mean|reshape|max|astype|dtype)'"
    r"|unsupported operand type\(s\) for [-*/@]\S* 'list' and '(?:list|int|float)'"
    r"|unsupported operand type\(s\) for [-*/@]\S* '(?:int|float)' and 'list'"
    r"|'>' not supported between instances of 'list'": LIST,
    r"matmul: Input operand \d does not have enough dimensions|for @: '(?:int|float)' and '(?:int|float)'": (
        "`@` multiplies matrices and vectors, but one of its operands is a single number: use `*`"
    ),
    r"'(?:int|float)' object has no attribute '(\w+)'": lambda found, location: (
        f"this is a single number and not an array, so it has no `.{found[1]}`"
    ),
    r"'(?:int|float)' object is not subscriptable|invalid index to scalar variable": (
        "this is a single number, from which no part can be selected with square brackets"
    ),
    r"'numpy.ndarray' object has no attribute 'append'": (
        "an array cannot grow: collect the parts in a list, and at the end make an array of them with `np.array` "
        "or `np.concatenate`"
    ),
    r"NoneType": (
        "a value is None here. A function without `return` returns None, and so does a method that changes its "
        "object, such as `list.sort` or `list.append`"
    ),
    r"'(?:numpy\.ndarray|Tensor|list|tuple|float|int|dict)' object is not callable": (
        "parentheses after a name call a function, but this is a value: write an index in square brackets, and a "
        "product with `*`"
    ),
    r"'(?:function|method|builtin_function_or_method|type|numpy\.ufunc)' object is not subscriptable": (
        "square brackets select a part of a value, but this is a function: first call it, with parentheses"
    ),
    r"name '(\w+)' is not defined": _undefined,
    r"cannot access local variable '(\w+)'|local variable '(\w+)' referenced before": lambda found, location: (
        f"`{found[1] or found[2]}` is used before this function has given it a value: a name that is assigned "
        "anywhere in a function is local to it, even if a variable of that name exists outside"
    ),
    r"maximum recursion depth exceeded": "the function calls itself again and again without ever stopping",
    r"division by zero": lambda found, location: (
        "the divisor is 0 in this case: which size or value makes it 0?" if "Zero" in location.type else ""
    ),
    r"assignment destination is read-only": "this array is read-only: make a copy, and change the copy",
    r"numpy boolean (?:subtract|negative)|Subtraction, the `-` operator, with (?:a bool|two bool)"
    r"|Negation, the `-` operator, on a bool": "booleans cannot be subtracted or negated with `-`: `~mask` swaps True and False",
    r"ufunc 'invert' not supported|for unary ~: 'float'": "`~` inverts booleans, and it was given floats",
    r"ufunc 'bitwise_(?:and|or)' not supported|for [&|]: 'float'": (
        "`&` and `|` bind more tightly than `<`, `>` and `==`: put each comparison in parentheses, "
        "`(a > 0) & (b > 0)`"
    ),
    r"ufunc 'bitwise_xor' not supported|for \^: 'float'": "`^` is not a power in Python: write `**`",
    r"Cannot interpret '\d+' as a data": "a shape is one argument, a tuple in parentheses: `np.zeros((T, D))`",
    r"transpose\(\) received an invalid combination|transpose\(\) takes 2 positional arguments but": (
        "PyTorch's `transpose` swaps two axes, as in `x.transpose(1, 2)`, whereas `permute` takes all of them"
    ),
    r"Can't call numpy\(\) on Tensor that requires grad": (
        "this tensor is part of a computation whose gradient is tracked: call `.detach()` first"
    ),
    r"a leaf Variable that requires grad .* in-place": (
        "an update of parameters must not be tracked for the gradient: put it inside `with torch.no_grad():`"
    ),
    r"does not require grad and does not have a grad_fn": (
        "no gradient is tracked in this computation: was a tensor detached, or made anew from numbers?"
    ),
    r"expected scalar type (\w+) but found (\w+)|(?:must|to) have the same dtype, but got": (
        "two tensors have different dtypes: convert both to the same one, with `.float()` or `.double()`"
    ),
}
