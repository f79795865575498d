"""Conversion of the text of a notebook cell to Python by the rules of IPython, but without IPython.

Jupyter accepts more than Python: prompts, cells that are indented as a whole, `%magics`, `!commands`, `obj?`.
This module rewrites them as IPython 9 does, so that a cell means the same in Jupyter, in the page and in the
grader. It handles text only: nothing is executed, and its cost grows linearly with the length of the cell.
"""

import ast
import re
from textwrap import dedent

#: Cell magics that run their cell in the notebook's own namespace; names in other cell magics are lost.
IN_THE_NAMESPACE = ("time", "capture", "prun")
NESTED = 10  # cell magics inside cell magics
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_PRIMARY = re.compile(r"^[ \t]*>>>[ \t]?", re.M)
_SECONDARY = re.compile(r"^[ \t]*(?:>>>|\.\.\.(?!\.*:))[ \t]?", re.M)
_NUMBERED = re.compile(r"^(?:(?:(?:\[nav\]|\[ins\])? )?In \[\d+\]: |\s*\.{3,}: ?)")
_CELL_MAGIC = re.compile(r"%%(?!\w+\?)(?P<name>\S*)(?P<rest>.*)")
_SPACE = re.compile(r"[ \t\f]+|\\\n")
_TOKEN = re.compile(
    r"(?P<comment>#[^\n]*)"
    r"|(?P<string>(?:[rRbBfFuUtT]{1,2})?(?P<quote>\"\"\"|'''|\"|'))"
    r"|(?P<word>\w+)"
    r"|(?P<operator>[-+*/%&|^@<>=!:]=|->|\*\*=?|//=?|<<=?|>>=?|[^\w\s])"
    r"|(?P<other>[^\n])"
)
#: By the quotes that open a string, the patterns that end it or that are skipped in it.
_INSIDE = {
    quote: re.compile(rf"\\.|{quote}" if len(quote) == 3 else rf"\\.|{quote}|\n", re.S)
    for quote in ('"', "'", '"""', "'''")
}
LONGEST = 1000  # characters of a name about which a question can be
_ESCAPES = set("!?%,;/")
_HELP = re.compile(r"(%{0,2}(?!\d)[\w*]+(?:\.(?!\d)[\w*]+|\[-?[0-9]+\])*)(\?\??)$")


def lines_of(text):
    r"""Return the lines of a string with their ends; only "\n", "\r\n" and "\r" end a line, as in Python."""
    return _LINE.findall(with_newlines(text))


def with_newlines(text):
    r"""Return a string in which each line ends in "\n", instead of "\r\n" or "\r"."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def module(source, name="<cell>"):
    """Return the ast.Module of a cell, and the name of the cell magic that prevents its execution, or "".

    Line numbers are those of the cell as the student sees it.

    Raises
    ------
    SyntaxError
        If the cell is not Python, even after its IPython syntax has been rewritten.
    """
    lines = lines_of(source if source.endswith("\n") else source + "\n")
    for _ in range(NESTED):
        lines = _cleaned(lines)
        magic = next((_CELL_MAGIC.match(line) for line in lines if line != "\n"), None)
        if magic is None:
            return _parsed(lines, name), ""
        rest = magic["rest"].strip()
        if magic["name"] not in IN_THE_NAMESPACE or (magic["name"] == "time" and rest[:1] not in ("", "-")):
            return ast.Module([], []), magic["name"]
        lines[next(i for i, line in enumerate(lines) if line != "\n")] = "\n"
    return ast.Module([], []), "time"


def python_of(source):
    """Return the Python source of a cell without cell magics, with its IPython syntax rewritten."""
    return "".join(_rewritten(_cleaned(lines_of(source if source.endswith("\n") else source + "\n"))))


def _parsed(lines, name="<cell>"):
    """Return the module of cleaned lines; if they are not Python, prompts `>>>` are removed first."""
    text = "".join(_rewritten(lines))
    try:
        return _parse(text, name)
    except SyntaxError:
        if not _PRIMARY.search(text):
            raise
    return _parse("".join(_rewritten(_unprompted(lines))), name)


def _unprompted(lines):
    """Return the lines without the prompts `>>>` and `...`."""
    return lines_of(dedent(_SECONDARY.sub("", "".join(lines))))


def _parse(text, name):
    try:
        return ast.parse(text, name)
    except SyntaxError:
        raise
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(f"this cell cannot be read ({type(error).__name__})") from None


def _cleaned(lines):
    """Return the lines without common indentation and prompts; blank lines above are kept as "\\n"."""
    first = next((i for i, line in enumerate(lines) if not line.isspace()), len(lines))
    rest = lines_of(dedent("".join(lines[first:])))
    if rest and _PRIMARY.match(rest[0]):
        rest = _unprompted(rest)
    elif any(_NUMBERED.match(line) for line in rest[:2]):
        rest = [_NUMBERED.sub("", line, count=1) for line in rest]
    return ["\n"] * first + rest


def _rewritten(lines):
    """Return as many lines, in which magics, commands and questions are calls of get_ipython()."""
    text, starts = "".join(lines), [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    made, number = [], 0
    while number < len(lines):
        found, end = _scan(text, starts[number])
        if found is None:
            following = number + max(1, text.count("\n", starts[number], end) + (end == len(text)))
            following = min(following, len(lines))
            made += lines[number:following]
            number = following
            continue
        while found[0] != "help" and found[1] >= starts[number + 1]:  # a backslash joins it to the line above
            made.append(lines[number])
            number += 1
        call, last = _call(lines, number, found, starts[number])
        made += [call + "\n"] + ["\n"] * (last - number)
        number = last + 1
    return made


class _Strings:
    """A finder of the ends of strings in a text, which takes linear time and little memory."""

    def __init__(self, text):
        self._text, self._open = text, {}

    def end(self, quote, position):
        """Return the end of the string whose opening quotes end at a position, or None if it is not closed.

        Each quote inside a string that is not closed is escaped, and so it cannot close a later string: no
        part of the text is searched twice in vain.
        """
        if position <= self._open.get(quote, -1):
            return None
        for found in _INSIDE[quote].finditer(self._text, position):
            if found[0] == quote:
                return found.end()
            if found[0] == "\n":
                self._open[quote] = found.start()
                return None
        self._open[quote] = len(self._text)
        return None


def _scan(text, begin):
    """Read one logical line, and return its special syntax, or None, and the position at which it ends.

    Special syntax is ("escape", position), ("assign", position of `!` or `%`) or ("help", position of the
    start).
    """
    position, depth, first, assigned, count, last = begin, 0, None, False, 0, ""
    strings = _Strings(text)
    while position < len(text):
        if space := _SPACE.match(text, position):
            position = space.end()
            continue
        if text[position] == "\n":
            position += 1
            if depth == 0:
                break
            continue
        token = _TOKEN.match(text, position)
        kind, word, start = token.lastgroup, token[0], position
        kind = "string" if token["quote"] else kind
        if first is None:
            first = start
            if word in _ESCAPES:
                return ("escape", start), position
        position = token.end()
        if kind == "string":
            end = strings.end(token["quote"], position)
            position = end or (len(text) if len(token["quote"]) == 3 else position)
        elif kind == "operator":
            depth += word in "([{"
            depth = max(0, depth - (word in ")]}"))
            if word == "=" and depth == 0 and not assigned:
                assigned = True
                after = position
                while space := _SPACE.match(text, after):
                    after = space.end()
                if text[after : after + 1] == "!" or re.match(r"%[ \t]*[^\W\d]", text[after : after + 20]):
                    return ("assign", after), position
        count, last = count + 1, word
    found = ("help", first) if last == "?" and count > 1 and (depth == 0 or position == len(text)) else None
    return found, position


def _call(lines, number, found, start):
    """Return the line of Python that replaces special syntax, and the number of the last line replaced."""
    kind, at = found[0], found[1] - start
    if kind == "help":
        last = number
        while not _HELP.search(lines[last][-LONGEST:]) and last + 1 < len(
            lines
        ):  # a question may go over several lines
            last += 1
        return _question(lines, number, at, last)
    before, last = lines[number][:at], number
    while lines[last].endswith("\\\n") and last + 1 < len(lines):
        last += 1
    parts = [lines[number][at:], *lines[number + 1 : last + 1]]
    parts = [part.rstrip()[:-1] for part in parts[:-1]] + [parts[-1].rstrip()]
    words = " ".join(parts)
    if _asks(before + words):
        help_request = _HELP.search(words[-LONGEST:])
        indent = before if kind == "escape" else before[: len(before) - len(before.lstrip())]
        return indent + _help(help_request[1], help_request[2]), last
    return before + (_assigned if kind == "assign" else _escaped)(words), last


def _asks(line):
    """Return True if a line ends in a question mark that is neither in a string nor in a comment."""
    position, depth, last = 0, 0, ""
    line = line.rstrip("\n")
    strings = _Strings(line)
    while position < len(line):
        if space := _SPACE.match(line, position):
            position = space.end()
            continue
        token = _TOKEN.match(line, position)
        position, last = token.end(), token[0]
        if token["quote"]:
            position = strings.end(token["quote"], position) or position
        depth += (last in "([{") - (last in ")]}")
    return last == "?" and depth <= 0 and bool(_HELP.search(line[-LONGEST:]))


def _question(lines, number, column, last):
    """Return the call for help that replaces a question of IPython, or the lines if they are not one."""
    piece = "".join(lines[number : last + 1])
    help_request = _HELP.search(piece[column:].removesuffix("\n")[-LONGEST:])
    if not help_request:
        return piece.rstrip("\n"), last
    return piece[:column] + _help(help_request[1], help_request[2]), last


def _help(target, sign):
    if not target:
        return "get_ipython().show_usage()"
    method = "pinfo2" if sign == "??" else "psearch" if "*" in target else "pinfo"
    return f"get_ipython().run_line_magic({method!r}, {target!r})"


def _assigned(words):
    """Return the call that replaces the right-hand side of an assignment, `%name ...` or `!command`."""
    if words.startswith("!"):
        return f"get_ipython().getoutput({words[1:]!r})"
    name, _, rest = words[1:].partition(" ")
    return f"get_ipython().run_line_magic({name!r}, {rest!r})"


def _escaped(words):
    """Return the call that replaces a line which begins with one of the special characters of IPython."""
    sign = words[:2] if words[:2] in ("!!", "??") else words[:1]
    content = words[len(sign) :]
    name, _, rest = content.partition(" ")
    if sign == "!":
        return f"get_ipython().system({content!r})"
    if sign == "!!":
        return f"get_ipython().getoutput({content!r})"
    if sign in ("?", "??"):
        return _help(content, sign)
    if sign == "%":
        return f"get_ipython().run_line_magic({name!r}, {rest!r})"
    if sign == ",":
        return '{}("{}")'.format(name, '", "'.join(rest.split()))
    if sign == ";":
        return f'{name}("{rest}")'
    if sign == "/" and name:
        return f"{name}({', '.join(rest.split())})"
    return words
