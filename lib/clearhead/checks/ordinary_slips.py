"""Ordinary slips in NumPy and Python code, such as a wrong axis, a wrong sign, or missing parentheses.

They need no entry among the wrong answers of an exercise, because each of them is a small change of the
syntax tree that is possible wherever an answer has an axis, a sign or parentheses. The message about a slip
names its kind, and never shows the right answer.
"""

import ast
import copy
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from warnings import catch_warnings

ORDER = (
    "Check your parentheses: two operations are done in the wrong order. Python computes `**` first, then "
    "`*`, `/` and `@` from left to right, and then `+` and `-`."
)
SIGN = (
    "Check your signs: a `+` should be a `-` or the other way round, a minus is missing, or the two sides of "
    "a difference are swapped."
)
TIMES = (
    "Somewhere you multiply where you should divide, or the other way round. Without parentheses, "
    "`a / b * c` is `(a / b) * c`."
)
INTEGERS = "`//` rounds every quotient down to an integer. Divide with `/`."
PRODUCT = "Check your matrix products: a transpose is missing or superfluous, or two matrices are swapped."
COMPARISON = "Check your comparisons: one of them has the wrong direction, or treats equal values wrongly."
CONDITION = "Check your conditions: `and` and `or` are confused, or a `not` is missing or superfluous."
AXIS = "One of your sums, means, maxima or softmaxes runs along the wrong axis."
KEEPDIMS = (
    "`keepdims=True` is missing. Without it, the result for each row is combined with the columns instead, "
    "and where the two sizes agree, not even an error is raised."
)
NUMBER = "A number in your formula is wrong or missing, such as a factor, a power, or a 1 that is added."
OTHER_SIZE = "You took the size of the wrong axis."
EARLY = "A loop or a slice ends one step too early."
LATE = "A loop or a slice ends one step too late."
SECOND = "A loop or a slice begins one step too late."
INDEX = "An index is off by one, or counts from the wrong end."
INSIDE = "Your `return` is inside the loop, so the loop ends after its first step."
DEEPER = "A line is inside an inner loop that belongs behind it."
OVERWRITTEN = "You overwrite a running value where you should add to it."
#: Changes of a result that is right otherwise, each with its message.
OF_RESULTS = {
    "X[:-1]": "The last entry or row of your result is missing.",
    "X[1:]": "The first entry or row of your result is missing.",
    "X[::-1]": "Your result is in reverse order.",
    "X.T": "Your result is transposed.",
    "X[None]": "Your result has one axis too many.",
    "X[0]": "You return only the first entry or row of the result.",
    "X[-1]": "You return only the last entry or row of the result.",
    "X.sum(axis=0)": "You sum the result over its first axis. Return it as it is.",
    "X.mean(axis=0)": "You average the result over its first axis. Return it as it is.",
    "X.reshape(-1)": "You flatten the result. Keep its axes.",
    "-X": SIGN,
    "1 - X": "You return 1 minus the result.",
}
SWAPPED = "You swapped two of the values that you return."
NOT_ALL = "You do not return all of the values."
ONE_MISSING = "A part of your formula is missing: {}."

#: Functions and methods, each with those for which it is often mistaken.
CONFUSED = {
    "max": ("min", "mean", "sum"), "min": ("max",), "argmax": ("argmin",), "argmin": ("argmax",),
    "sum": ("mean", "max"), "mean": ("sum", "max"), "maximum": ("minimum",), "minimum": ("maximum",),
    "sin": ("cos",), "cos": ("sin",), "log": ("log2", "log10"), "exp": ("exp2",), "floor": ("ceil", "round"),
    "ceil": ("floor",), "std": ("var",), "var": ("std",), "triu": ("tril",), "tril": ("triu",),
    "any": ("all",), "all": ("any",), "sqrt": ("square",),
}  # fmt: skip
#: The part of a formula that is missing if one side of an operation is left out.
LEFT_OUT = {
    ast.Div: "a division", ast.Mult: "a factor", ast.Sub: "a subtraction", ast.Add: "a term of a sum",
    ast.Pow: "a power, such as a square or a square root",
}  # fmt: skip
OPPOSITES = {
    ast.Lt: (ast.Gt, ast.LtE), ast.Gt: (ast.Lt, ast.GtE), ast.LtE: (ast.GtE, ast.Lt),
    ast.GtE: (ast.LtE, ast.Gt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip


@dataclass(frozen=True)
class Slip:
    """An ordinary slip: the compiled answer that contains it, and the message about it."""

    message: str
    code: object


def slips(source, changes=()):
    """Yield each Slip that is possible in the functions of a source, with the compiled answer.

    Parameters
    ----------
    source : str
        The right answer, or a wrong one.
    changes : tuple of (str, str)
        The old and new texts of a mistake that the source already contains. Code that ends in a new text is
        not changed, since a slip inside a mistake would be another mistake.
    """
    tree, is_new = ast.parse(source), _new_characters(source, changes)
    yield from _without_parentheses(source, is_new)
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        parameters = [argument.arg for argument in function.args.args if argument.arg != "self"]
        if function.name != "__init__":
            for message, change in _return_inside(function):
                yield from _compiled(tree, message, *change)
            for place in list(_places(function)):
                node, parent = place.node, place.parent
                if _ends_in(node, source, is_new):
                    continue
                for message, new in _changes(node, parent, parameters):
                    yield from _compiled(tree, message, place.put, new, node)


def _new_characters(source, changes):
    """Return, for each character of a source, whether it belongs to the new text of a change."""
    is_new = [False] * len(source)
    for _, new in changes:
        for found in re.finditer(re.escape(new), source) if new.strip() else ():
            is_new[found.start() : found.end()] = [True] * len(found[0])
    return is_new


def _ends_in(node, source, is_new):
    """Return True if a node that is not a `return` statement ends in text that a change has inserted.

    A `return` statement may be changed in any case, because a slip in it concerns the whole result.
    """
    last = getattr(node, "end_lineno", None)
    if last is None or isinstance(node, ast.Return):
        return False
    lines = source.splitlines(keepends=True)
    end = len("".join(lines[: last - 1])) + len(lines[last - 1].encode()[: node.end_col_offset].decode())
    return is_new[end - 1]


def _without_parentheses(text, is_new):
    """Yield each Slip that leaves out a pair of parentheses that does not belong to a call."""
    open_ones = []
    for index, character in enumerate(text):
        if character == "(":
            open_ones.append(index)
        elif character == ")":
            start = open_ones.pop() if open_ones else 0  # a string may hold one of a pair
            if not is_new[start] and not re.match(r"[\w)\]]", text[start - 1]):
                code = _code(text[:start] + text[start + 1 : index] + text[index + 1 :])
                if code:
                    yield Slip(ORDER, code)


def _compiled(tree, message, put, new, old):
    """Replace a node of a tree, compile the tree, restore the node, and yield the Slip if it compiled."""
    put(new)
    try:
        code = _code(ast.fix_missing_locations(tree))
    finally:
        put(old)
    if code:
        yield Slip(message, code)


def _code(program):
    """Return a program compiled without warnings, or None if it is not valid Python."""
    try:
        with catch_warnings(action="ignore"):
            return compile(program, "<an answer with a slip>", "exec")
    except (SyntaxError, ValueError, TypeError):
        return None


@dataclass(frozen=True)
class _Place:
    node: ast.AST
    parent: ast.AST
    put: Callable  # replaces the node by another one


def _places(function):
    """Yield a _Place for each node of a function: the node, its parent, and a function that replaces it."""
    waiting = [(function, field) for field in ("body",)]
    while waiting:
        parent, field = waiting.pop()
        value = getattr(parent, field)
        if isinstance(value, list):
            for index, node in enumerate(value):
                if isinstance(node, ast.AST):
                    yield _Place(node, parent, lambda new, at=value, i=index: at.__setitem__(i, new))
                    waiting += [(node, name) for name in node._fields]
        elif isinstance(value, ast.AST):
            yield _Place(value, parent, lambda new, of=parent, name=field: setattr(of, name, new))
            waiting += [(value, name) for name in value._fields]


def _return_inside(function):
    """Yield the slip in which the `return` after a loop is inside the loop."""
    for index, node in enumerate(function.body[:-1]):
        last = function.body[-1]
        if isinstance(node, ast.For | ast.While) and isinstance(last, ast.Return):

            def put(new, loop=node, index=index):
                loop.body = new

            yield INSIDE, (put, [*node.body, last], node.body)


def _changes(node, parent, parameters):
    """Yield pairs of a message and a node that a student might have written instead of the given one."""
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        return
    rule = _RULES.get(type(node))
    if rule:
        yield from rule(node)
    called = isinstance(parent, ast.Call) and parent.func is node
    name = getattr(node, "attr", getattr(node, "id", None))
    if called and name in CONFUSED:
        for other in CONFUSED[name]:
            changed = ast.Attribute(node.value, other) if isinstance(node, ast.Attribute) else ast.Name(other)
            changed.ctx = ast.Load()
            yield f"You took `{other}` where `{name}` is needed.", changed
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT") and not called:
        yield PRODUCT, node.value
    if isinstance(node, ast.Name) and not called and name in parameters:
        for other in parameters:
            if other != name:
                message = f"Your result is what one gets with `{other}` where `{name}` belongs."
                yield message, ast.Name(other, ast.Load())


def _binary(node):
    left, op, right = node.left, node.op, node.right
    if isinstance(left, ast.BinOp) and type(left.op) is not type(op):
        yield ORDER, ast.BinOp(left.left, left.op, ast.BinOp(left.right, op, right))
    if isinstance(left, ast.UnaryOp) and isinstance(op, ast.Pow):
        yield ORDER, ast.UnaryOp(left.op, ast.BinOp(left.operand, op, right))
    if isinstance(right, ast.BinOp):
        yield ORDER, ast.BinOp(ast.BinOp(left, op, right.left), right.op, right.right)
    kind = type(op)
    if kind in (ast.Add, ast.Sub):
        yield SIGN, ast.BinOp(left, ast.Sub() if kind is ast.Add else ast.Add(), right)
        yield SIGN, ast.BinOp(right, ast.Sub(), left)
    if kind in (ast.Mult, ast.Div):
        yield TIMES, ast.BinOp(left, ast.Div() if kind is ast.Mult else ast.Mult(), right)
        yield TIMES, ast.BinOp(right, ast.Div(), left)
    if kind is ast.Div:
        yield INTEGERS, ast.BinOp(left, ast.FloorDiv(), right)
    if kind in LEFT_OUT:
        yield ONE_MISSING.format(LEFT_OUT[kind]), left
        if kind is not ast.Pow:
            yield ONE_MISSING.format(LEFT_OUT[kind]), right
    if kind is ast.MatMult:
        for one, other in ((left, _transposed(right)), (_transposed(left), right), (right, left)):
            yield PRODUCT, ast.BinOp(one, op, other)
    if kind in (ast.BitAnd, ast.BitOr):
        yield CONDITION, ast.BinOp(left, ast.BitOr() if kind is ast.BitAnd else ast.BitAnd(), right)


def _transposed(node):
    return ast.Attribute(node, "T", ast.Load())


def _unary(node):
    yield (SIGN if isinstance(node.op, ast.USub) else CONDITION), node.operand


def _compare(node):
    for other in OPPOSITES.get(type(node.ops[0]), ()) if len(node.ops) == 1 else ():
        yield COMPARISON, ast.Compare(node.left, [other()], node.comparators)


def _boolean(node):
    yield CONDITION, ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def _call(node):
    words = ast.unparse(node.func)
    named = {keyword.arg: keyword for keyword in node.keywords}
    if "keepdims" in named:
        yield KEEPDIMS, ast.Call(node.func, node.args, [k for k in node.keywords if k.arg != "keepdims"])
    if "axis" in named:
        for axis in (0, 1, -1, None):
            rest = [k for k in node.keywords if k.arg != "axis"]
            yield AXIS, ast.Call(node.func, node.args, [*rest, ast.keyword("axis", ast.Constant(axis))])
    if (
        len(node.args) == 1
        and words.split(".")[0] in (words, "np", "math")
        and words not in ("range", "len", "list")
    ):
        yield f"`{words}` is missing.", node.args[0]
        if words in ("softmax", "log_softmax"):
            yield AXIS, _transposed(ast.Call(node.func, [_transposed(node.args[0])], node.keywords))
            yield f"You applied `{words}` twice.", ast.Call(node.func, [node], node.keywords)
    if words == "range":
        last = 0 if len(node.args) == 1 else 1
        for message, op in ((EARLY, ast.Sub()), (LATE, ast.Add())):
            args = list(node.args)
            args[last] = ast.BinOp(args[last], op, ast.Constant(1))
            yield message, ast.Call(node.func, args, [])
        first = ast.BinOp(node.args[0], ast.Add(), ast.Constant(1)) if last else ast.Constant(1)
        yield SECOND, ast.Call(node.func, [first, *node.args[last:]], [])
    if isinstance(node.func, ast.Attribute) and words.split(".")[0] not in ("np", "math") and not node.args:
        yield f"`.{node.func.attr}()` is missing.", node.func.value


def _constant(node):
    if isinstance(node.value, int | float) and not isinstance(node.value, bool) and _is_plain(node.value):
        for other in {node.value + 1, node.value - 1, 2 * node.value, 0, 1, -node.value} - {node.value}:
            yield NUMBER, ast.Constant(other)


def _is_plain(number):
    """Return True for 0 and for a number that may belong to a formula, unlike a tiny or huge constant."""
    return number == 0 or 1e-3 < abs(number) < 1e4


def _subscript(node):
    if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        for axis in (0, 1, 2, -1):
            yield OTHER_SIZE, ast.Subscript(node.value, ast.Constant(axis), ast.Load())
    elif isinstance(node.slice, ast.Constant) and type(node.slice.value) is int:
        for other in {0, -1, node.slice.value + 1, node.slice.value - 1} - {node.slice.value}:
            yield INDEX, ast.Subscript(node.value, ast.Constant(other), ast.Load())
    elif isinstance(node.slice, ast.Name):
        for op in (ast.Sub(), ast.Add()):
            index = ast.BinOp(node.slice, op, ast.Constant(1))
            yield INDEX, ast.Subscript(node.value, index, ast.Load())


def _returned(node):
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    for index, value in enumerate(values):
        for template, message in OF_RESULTS.items():
            changed = ast.parse(template, mode="eval").body
            changed = _Put(value).visit(changed)
            if len(values) > 1:
                changed = ast.Tuple([*values[:index], changed, *values[index + 1 :]], ast.Load())
                message = message.replace("our result", "our results").replace(
                    "the result", "one of the results"
                )
            yield message, ast.Return(changed)
    for one, other in combinations(range(len(values)), 2):
        order = list(values)
        order[one], order[other] = order[other], order[one]
        yield SWAPPED, ast.Return(ast.Tuple(order, ast.Load()))
    if len(values) > 1:
        for index in range(len(values)):
            rest = [*values[:index], *values[index + 1 :]]
            yield NOT_ALL, ast.Return(ast.Tuple(rest, ast.Load()) if len(rest) > 1 else rest[0])
            yield NOT_ALL, ast.Return(values[index])


class _Put(ast.NodeTransformer):
    """A transformer that replaces the name X in a template by a node."""

    def __init__(self, node):
        self.node = node

    def visit_Name(self, name):
        """Return the node for the name X, and any other name unchanged."""
        return self.node if name.id == "X" else name


def _augmented(node):
    yield OVERWRITTEN, ast.Assign([node.target], node.value)


def _loop(node):
    """Yield a message and a loop in which the line after an inner loop is moved into that loop."""
    for index, inner in enumerate(node.body[:-1]):
        if isinstance(inner, ast.For | ast.While):
            deeper = copy.copy(inner)
            deeper.body = [*inner.body, node.body[index + 1]]
            changed = copy.copy(node)
            changed.body = [*node.body[:index], deeper, *node.body[index + 2 :]]
            yield DEEPER, changed


def _slice(node):
    if node.upper is not None:
        for message, op in ((EARLY, ast.Sub()), (LATE, ast.Add())):
            yield message, ast.Slice(node.lower, ast.BinOp(node.upper, op, ast.Constant(1)), node.step)
    if node.lower is not None:
        yield SECOND, ast.Slice(ast.BinOp(node.lower, ast.Add(), ast.Constant(1)), node.upper, node.step)


_RULES = {
    ast.BinOp: _binary, ast.UnaryOp: _unary, ast.Compare: _compare, ast.BoolOp: _boolean, ast.Call: _call,
    ast.Constant: _constant, ast.Subscript: _subscript, ast.Slice: _slice, ast.Return: _returned,
    ast.AugAssign: _augmented, ast.For: _loop,
}  # fmt: skip
