"""The mutants of an answer, each of which differs from it by one small slip that students make.

A rule examines one node of the syntax tree and yields what a student might have written in its place. Most of
the rules are rows of the tables below, in which X is the node, or X and Y are its operands or arguments.
"""

import ast
import copy
from dataclasses import dataclass
from itertools import combinations

OPERATORS = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add, ast.MatMult),
    ast.Div: (ast.Mult, ast.FloorDiv, ast.Sub),
    ast.MatMult: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.FloorDiv: (ast.Div,),
    ast.Mod: (ast.FloorDiv,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
#: Functions and methods, each with those for which it is often mistaken.
FUNCTIONS = {
    "sum": ("mean", "max", "prod"), "mean": ("sum", "max"), "max": ("min", "mean", "sum"), "min": ("max",),
    "argmax": ("argmin",), "argmin": ("argmax",), "sqrt": ("square",), "std": ("var",), "var": ("std",),
    "sin": ("cos",), "cos": ("sin",), "exp": ("exp2", "expm1"), "log": ("log2", "log10", "log1p"),
    "ones": ("zeros",), "zeros": ("ones",), "triu": ("tril",), "tril": ("triu",), "tri": ("ones",),
    "floor": ("ceil", "round"), "ceil": ("floor", "round"), "round": ("floor", "ceil", "trunc"),
    "repeat": ("tile",), "tile": ("repeat",), "vstack": ("hstack",), "hstack": ("vstack",),
    "maximum": ("minimum",), "minimum": ("maximum",), "all": ("any",), "any": ("all",), "argsort": ("sort",),
    "abs": ("square",), "tanh": ("sin",), "cumsum": ("cumprod",), "sorted": ("list",),
}  # fmt: skip
#: Replacements of X / Y, X @ Y, and so on.
OF_TWO = {
    ast.Div: ("X / Y**2", "X / np.sqrt(Y)", "X / (Y - 1)", "X / (Y + 1)", "X / int(Y)"),
    ast.MatMult: ("X @ Y.T", "X.T @ Y", "Y @ X"),
    ast.Add: ("np.maximum(X, Y)",),
}
#: Replacements of a call of each function, where X, Y and Z are its first arguments.
OF_CALLS = {
    "softmax": (
        "softmax(X.T).T", "np.exp(X - X.max()) / np.exp(X - X.max()).sum()", "1 / (1 + np.exp(-X))",
        "np.exp(X) / np.exp(X).sum(axis=-1, keepdims=True)", "X / X.sum(axis=-1, keepdims=True)",
        "np.eye(X.shape[-1])[X.argmax(axis=-1)]", "softmax(np.clip(X, -700, 700))", "softmax(softmax(X))",
    ),
    "np.where": ("np.where(~(X), Y, Z)", "np.where(X, Y, 0)", "np.where(X, Y, -1e9)", "X * Y"),
    "range": ("range(X - 1)", "range(1, X)", "range(X + 1)", "range(X, Y - 1)", "range(X + 1, Y)"),
}  # fmt: skip
#: Replacements of any value X that is used.
OF_VALUES = (
    "-X", "X + 1", "X - 1", "2 * X", "X / 2", "X**2", "np.sqrt(X)", "np.abs(X)", "X.T", "X[::-1]",
    "X[..., ::-1]", "X[1:]", "X[:-1]", "np.round(X)", "np.ones_like(X)", "np.zeros_like(X)", "X.astype(int)",
    "X - X.mean()", "X / X.sum(axis=-1, keepdims=True)", "X / np.linalg.norm(X, axis=-1, keepdims=True)",
    "np.maximum(X, 0)", "np.sort(X)", "~X", "1 - X",
)  # fmt: skip
#: Replacements of the value X that is returned.
OF_RETURNS = (
    "X.T", "np.round(X, 2)", "np.asarray(X).tolist()", "[X]", "X[0]", "X[-1]", "X.ravel()", "X.mean()",
    "X.sum()",
    "X[None]", "str(X)", "float(X)", "int(X)",
)  # fmt: skip
AXES = ("0", "1", "-1", "None")


@dataclass(frozen=True)
class Mutant:
    """An answer with one slip in it.

    Attributes
    ----------
    rule : str
        The kind of slip.
    line : str
        The changed line.
    source : str
        The whole answer.
    """

    rule: str
    line: str
    source: str


def mutants(source):
    """Yield the Mutants of the functions in a source, which differ from the source and from each other."""
    tree = ast.parse(source)
    before, known = ast.unparse(tree).splitlines(), {ast.unparse(tree)}
    for rule, path, new in _changes(tree):
        try:
            text = ast.unparse(ast.fix_missing_locations(_put(tree, path, new)))
            ast.parse(text)
        except (SyntaxError, ValueError, TypeError, AttributeError, IndexError):
            continue  # the change makes no Python here, such as a call in the place of a target
        if text not in known:
            known.add(text)
            changed = [line.strip() for line in text.splitlines() if line not in before]
            yield Mutant(rule, " ; ".join(changed[:2]) or "a line is missing or moved", text)


def _changes(tree):
    """Yield triples of a rule, the path to a node, and the replacement of this node."""
    for number, function in enumerate(tree.body):
        if not isinstance(function, ast.FunctionDef):
            continue
        top = (("body", number),)
        yield from ((rule, top, new) for rule, new in _of_function(function))
        names = _names(function)
        for path, node, parent in _nodes(function, top):
            if path[1][0] == "body" and not isinstance(parent, ast.Expr):
                yield from ((rule, path, new) for rule, new in _of_node(node, parent, names))


def _nodes(node, path):
    """Yield triples of a path, a node and its parent for each node below a given one."""
    for field, value in ast.iter_fields(node):
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST):
                here = (*path, (field, index))
                yield here, child, node
                yield from _nodes(child, here)


def _put(tree, path, new):
    """Return a copy of a tree with another node at a path, or without the node if the new one is None."""
    tree = copy.deepcopy(tree)
    node = tree
    for field, index in path[:-1]:
        node = getattr(node, field) if index is None else getattr(node, field)[index]
    field, index = path[-1]
    if index is None:
        setattr(node, field, new)
    else:
        new = new if isinstance(new, list) else [new] if new is not None else []
        getattr(node, field)[index : index + 1] = new
    return tree


def _names(function):
    """Return the names of the parameters and local variables of a function."""
    local = [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return list(dict.fromkeys([argument.arg for argument in function.args.args] + local))


def _made(template, **parts):
    """Return the expression of a template in which nodes replace the letters."""

    class Fill(ast.NodeTransformer):
        def visit_Name(self, node):
            return copy.deepcopy(parts[node.id]) if node.id in parts else node

    return Fill().visit(ast.parse(template, mode="eval").body)


def _with(node, **fields):
    """Return a copy of a node with changed fields."""
    node = copy.deepcopy(node)
    for name, value in fields.items():
        setattr(node, name, value)
    return node


def _of_node(node, parent, names):
    """Yield pairs of a rule and the replacement that it makes for one node."""
    called = isinstance(parent, ast.Call) and parent.func is node
    loaded = not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
    kind = type(node).__name__
    if kind in _RULES and loaded:
        yield from _RULES[kind](node)
    if isinstance(node, ast.Attribute) and not called and node.attr in ("T", "mT"):
        yield "transpose dropped", node.value
    name = getattr(node, "attr", getattr(node, "id", None))
    if called and name in FUNCTIONS:
        field = "attr" if isinstance(node, ast.Attribute) else "id"
        yield from (("another function", _with(node, **{field: other})) for other in FUNCTIONS[name])
    if isinstance(node, ast.Name) and loaded and not called and node.id in names:
        yield from (("another variable", ast.Name(other, ast.Load())) for other in names if other != node.id)
    if loaded and not called and _is_value(node, parent, names):
        yield from (("value changed", _made(template, X=node)) for template in OF_VALUES)
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if isinstance(node, ast.stmt) and not isinstance(node, ast.Return | ast.FunctionDef) and not text:
        yield "statement dropped", ast.Pass()


def _is_value(node, parent, names):
    """Return True if a node is a value that may be changed, and neither a size nor used only for its size."""
    if isinstance(parent, ast.Slice) or getattr(parent, "attr", "") in ("shape", "ndim", "size"):
        return False
    if isinstance(node, ast.Subscript):
        return getattr(node.value, "attr", "") != "shape"
    return isinstance(node, ast.BinOp | ast.Call) or (isinstance(node, ast.Name) and node.id in names)


def _binary(node):
    for other in OPERATORS.get(type(node.op), ()):
        yield "operator", _with(node, op=other())
    if not isinstance(node.op, ast.Add | ast.Mult | ast.BitAnd | ast.BitOr):
        yield "operands swapped", ast.BinOp(node.right, node.op, node.left)
    yield "operand dropped", node.left
    yield "operand dropped", node.right
    for template in OF_TWO.get(type(node.op), ()):
        yield "operator", _made(template, X=node.left, Y=node.right)
    inner = node.left
    if isinstance(inner, ast.BinOp) and type(inner.op) is not type(node.op):
        yield "brackets", ast.BinOp(inner.left, inner.op, ast.BinOp(inner.right, node.op, node.right))


def _unary(node):
    yield "sign or not dropped", node.operand


def _compare(node):
    if len(node.ops) == 1:
        yield from (
            ("comparison", _with(node, ops=[each()])) for each in COMPARISONS.get(type(node.ops[0]), ())
        )


def _boolean(node):
    yield "and, or", _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    for number in range(len(node.values)):
        rest = [value for index, value in enumerate(node.values) if index != number]
        yield "condition dropped", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _keyword(node):
    if node.arg == "axis":
        for axis in AXES:
            yield "axis", ast.keyword("axis", _made(axis))
    yield f"{node.arg} dropped", None


def _constant(node):
    if isinstance(node.value, bool):
        yield "True, False", ast.Constant(not node.value)
    elif isinstance(node.value, int | float):
        for other in dict.fromkeys((node.value + 1, node.value - 1, 2 * node.value, 0, 1, -node.value)):
            yield "constant", _made(repr(other))
    elif isinstance(node.value, str):
        yield "string", ast.Constant("")
        yield "string", ast.Constant(node.value.strip())


def _call(node):
    for argument in node.args:
        yield "call dropped", argument
    if isinstance(node.func, ast.Attribute):
        yield "call dropped", node.func.value
    if node.args:
        yield "applied twice", _with(node, args=[copy.deepcopy(node), *node.args[1:]])
    for one, other in combinations(range(len(node.args)), 2):
        swapped = list(node.args)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        yield "arguments swapped", _with(node, args=swapped)
    for index in range(1, len(node.args)):
        yield "argument dropped", _with(node, args=[*node.args[:index], *node.args[index + 1 :]])
    parts = dict(zip("XYZ", node.args, strict=False))
    for template in OF_CALLS.get(ast.unparse(node.func), ()):
        if {n.id for n in ast.walk(ast.parse(template)) if isinstance(n, ast.Name)} & set("XYZ") <= set(
            parts
        ):
            yield "call changed", _made(template, **parts)
    if isinstance(node.func, ast.Attribute) and node.func.attr == "reshape":
        order = ast.keyword("order", ast.Constant("F"))
        yield "reshaped in column order", _with(node, keywords=[*node.keywords, order])
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("var", "std"):
        yield "D - 1", _with(node, keywords=[*node.keywords, ast.keyword("ddof", ast.Constant(1))])


def _subscript(node):
    of_shape = isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    if not of_shape:
        yield "index dropped", node.value
        return
    for axis in ("0", "1", "-1"):
        yield "size of another axis", _with(node, slice=_made(axis))
    yield "size of everything", ast.Attribute(node.value.value, "size", ast.Load())


def _slice(node):
    for end in ("lower", "upper", "step"):
        if (value := getattr(node, end)) is not None:
            yield "slice", _with(node, **{end: None})
            if end != "step":
                yield "slice", _with(node, **{end: _made("X + 1", X=value)})
                yield "slice", _with(node, **{end: _made("X - 1", X=value)})
    if (node.lower is None) != (node.upper is None):
        yield "slice", _with(node, lower=node.upper, upper=node.lower)


def _tuple(node):
    for one, other in combinations(range(len(node.elts)), 2):
        swapped = list(node.elts)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        yield "swapped", _with(node, elts=swapped)
    yield from (("one of several", each) for each in node.elts)


def _branches(node):
    yield "branch", node.body
    yield "branch", node.orelse or ast.Pass()
    yield "branch", _with(node, test=ast.UnaryOp(ast.Not(), node.test))


def _comprehension(node):
    for change in ("list(X)[::-1]", "list(X)[1:]", "list(X)[:-1]"):
        yield "loop", _with(node, iter=_made(change, X=node.iter))
    if getattr(node, "ifs", None):
        yield "condition dropped", _with(node, ifs=[])


def _loop(node):
    yield "loop once", _with(node, body=[*node.body, ast.Break()])
    if isinstance(node, ast.For):
        yield from _comprehension(node)


def _returned(node):
    if node.value is not None:
        yield from (("value returned", ast.Return(_made(template, X=node.value))) for template in OF_RETURNS)


def _augmented(node):
    yield "assigned, not added", ast.Assign([node.target], node.value)
    for other in OPERATORS.get(type(node.op), ()):
        yield "operator", _with(node, op=other())


_RULES = {
    "BinOp": _binary, "UnaryOp": _unary, "Compare": _compare, "BoolOp": _boolean, "keyword": _keyword,
    "Constant": _constant, "Call": _call, "Subscript": _subscript, "Slice": _slice, "Tuple": _tuple,
    "IfExp": _branches, "If": _branches, "comprehension": _comprehension, "For": _loop, "While": _loop,
    "Return": _returned, "AugAssign": _augmented,
}  # fmt: skip


def _of_function(function):
    """Yield pairs of a rule and a changed function, for slips that concern a whole function."""
    start = 1 if ast.get_docstring(function) else 0
    for index in range(start, len(function.body) - 1):
        body = list(function.body)
        body[index : index + 2] = reversed(body[index : index + 2])
        yield "steps swapped", _with(function, body=body)
    for old, news in FUNCTIONS.items():
        for new in news:
            yield "another function, everywhere", _everywhere(function, old, new)
    for name in (argument.arg for argument in function.args.args):
        for template in OF_VALUES:
            line = ast.Assign([ast.Name(name, ast.Store())], _made(template, X=ast.Name(name, ast.Load())))
            yield (
                "argument changed",
                _with(function, body=[*function.body[:start], line, *function.body[start:]]),
            )
    for index, default in enumerate(function.args.defaults):
        for _, other in _constant(default) if isinstance(default, ast.Constant) else ():
            changed = _with(function.args, defaults=[*function.args.defaults])
            changed.defaults[index] = other
            yield "default", _with(function, args=changed)


def _everywhere(function, old, new):
    """Return a function in which one attribute, such as a method, is replaced wherever it occurs."""

    class Change(ast.NodeTransformer):
        def visit_Attribute(self, node):
            self.generic_visit(node)
            return _with(node, attr=new) if node.attr == old else node

    return Change().visit(copy.deepcopy(function))
