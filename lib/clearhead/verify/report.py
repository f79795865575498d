"""Reports on findings: in words for people, with what is wrong first, and in JUnit XML for machines."""

import reprlib
import textwrap
import xml.etree.ElementTree as ET

import numpy as np

from .verifying import CONVENTION, ERROR, HOLDS, WRONG

WIDTH = 100
MARKS = {HOLDS: "✓", CONVENTION: "~", WRONG: "✗", ERROR: "✗"}
ORDER = (WRONG, ERROR, CONVENTION, HOLDS)


def text(findings, name, known, seed, seeds):
    """Return the report on an adapter file as text.

    Parameters
    ----------
    findings : list of Finding
    name : str
        The name of the file.
    known : dict
        All entry points, by their names.
    seed, seeds : int
        The first seed, and the number of seeds.
    """
    lines = [headline(findings, name), ""]
    for finding in sorted(findings, key=lambda each: ORDER.index(each.status)):
        lines += [*of_one(finding), ""] if not finding.passed else of_one(finding)
    named = {finding.entry.name for finding in findings}
    others = [each for each in known if each not in named]
    lines.append("")
    if others:
        lines += _wrapped(f"Not tried, because {name} does not name them: {', '.join(others)}.", "")
    seconds, cases = (sum(each) for each in zip(*((f.seconds, f.cases) for f in findings), strict=True))
    lines.append(
        f"{cases} cases with the seeds {seed} to {seed + seeds - 1} took {seconds:.1f} seconds of CPU time. "
        f"To repeat them: clearhead verify {name} --seed {seed}"
    )
    return "\n".join(lines)


def headline(findings, name):
    """Return the sentence that says how many entry points are wrong, and which ones."""
    wrong = [each.entry.name for each in findings if not each.passed]
    of = f"{len(findings)} entry point{'s' if len(findings) != 1 else ''}"
    if wrong:
        verb = "is" if len(wrong) == 1 else "are"
        return f"✗ {name}: {len(wrong)} of {of} {verb} wrong: {', '.join(wrong)}."
    other = sum(each.status == CONVENTION for each in findings)
    follow = f", {other} of them by another convention than ours" if other else ""
    if len(findings) == 1:
        return f"✓ {name}: its one entry point holds{', by another convention than ours' * other}."
    return f"✓ {name}: all {of} hold{follow}."


def of_one(finding):
    """Return the lines of the report on one function."""
    entry, status = finding.entry, finding.status
    head = f"{MARKS[status]} {entry.name}"
    lines = []
    if finding.passed:
        lines.append(f"{head}: {finding.cases} cases pass.")
    else:
        lines += _what_is_wrong(finding, head)
    for convention in finding.conventions:
        lines += _wrapped(f"Convention, no mistake ({convention.name}): {convention.message}", "    ")
    for note in finding.notes:
        lines += _wrapped(f"Note: {note}", "    ")
    if finding.not_tried:
        lines += _wrapped(f"Not tried: {'; '.join(finding.not_tried)}.", "    ")
    return lines


def _what_is_wrong(finding, head):
    """Return the lines on a wrong function: the mistake, the smallest input, and the failed cases."""
    verdict, mistake = finding.verdict, finding.mistake
    if verdict is None:
        return [f"{head}: {' '.join(finding.explanations)}"]
    failed = [each for each in verdict.tried if not each.passed]
    lines = []
    if mistake:
        sure = "a known mistake" if verdict.certain else "probably a known mistake"
        sure = "in some cases a known mistake" if verdict.partly else sure
        lines.append(f"{head}: {sure}, {mistake.name}.")
        lines += _wrapped(mistake.message, "    ")
    else:
        noun = "errors" if finding.status == ERROR else "other results than expected"
        lines.append(f"{head}: {noun}, by no mistake that we know.")
    for each in finding.explanations:
        lines += _wrapped(each, "    ")
    if verdict.right_for_arguments and not finding.explanations:
        lines += _wrapped(verdict.right_for_arguments, "    ")
    if finding.smallest is not None:
        lines += _shown(finding)
    count = f"{len(failed)} of {len(verdict.tried)} cases fail in {finding.dtype}: "
    lines += _wrapped(count + "; ".join(each.case.name for each in failed) + ".", "    ")
    first = failed[0]
    if first.status != "wrong":
        lines += _wrapped(f"The first one: {first.problem}", "    ")
        if first.outcome.line:
            lines += _wrapped(f"In your code, {first.outcome.line}", "    ")
    return lines


def _shown(finding):
    """Return the lines with the smallest failing input, the expected result, and the actual one."""
    least = finding.smallest
    lines = ["    The smallest input that we found:"]
    for value, argument in zip(least.arguments, finding.entry.inputs, strict=False):
        lines += _value(argument.name, value)
    if least.outcome.error:
        return [*lines, *_value("got", least.outcome.error, as_it_is=True)]
    got = least.outcome.returned or least.outcome.output
    return [*lines, *_value("expected", least.expected), *_value("got", got, bool(least.outcome.returned))]


def _value(name, value, as_it_is=False):
    """Return an argument or a result as lines that begin with its name."""
    if isinstance(value, dict) and not as_it_is:
        return [line for key, item in value.items() for line in _value(f"{name}[{key!r}]", item)]
    if isinstance(value, np.ndarray):
        value = value + 0.0 if value.dtype.kind == "f" else value  # not -0
        said = np.array2string(
            value, precision=4, suppress_small=True, max_line_width=WIDTH - 20, threshold=60
        )
        said = said if value.size else f"an empty array of shape {value.shape}"
    else:
        said = value if as_it_is else f"{value:.6g}" if isinstance(value, float) else _SHORT.repr(value)
    first, *rest = said.splitlines() or [""]
    return [f"      {name} = {first}", *(" " * (9 + len(name)) + line for line in rest)]


_SHORT = reprlib.Repr()
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxstring = _SHORT.maxother = 60


def _wrapped(sentence, indent):
    return textwrap.wrap(sentence, WIDTH, initial_indent=indent, subsequent_indent=indent)


def listing(known):
    """Return a list of all entry points as text, group by group, with their signatures."""
    lines, group = [], None
    for entry in known.values():
        if entry.group != group:
            group = entry.group
            lines += ["", f"{group.capitalize()}:"]
        lines.append(f"  {entry.call}")
        lines += _wrapped(f"{entry.about[:1].upper()}{entry.about[1:]}.", "      ")
        if entry.conventions:
            names = ", ".join(each.name for each in entry.conventions)
            lines += _wrapped(f"Known conventions: {names}.", "      ")
    return "\n".join(lines[1:])


def junit(findings, name):
    """Return the findings as a string of JUnit XML, with one test case for each function."""
    wrong = sum(each.status == WRONG for each in findings)
    errors = sum(each.status == ERROR for each in findings)
    counts = {"tests": str(len(findings)), "failures": str(wrong), "errors": str(errors)}
    seconds = f"{sum(each.seconds for each in findings):.3f}"
    root = ET.Element("testsuites", counts)
    suite = ET.SubElement(root, "testsuite", {"name": f"clearhead verify {name}", "time": seconds, **counts})
    for finding in findings:
        attributes = {"classname": name, "name": finding.entry.name, "time": f"{finding.seconds:.3f}"}
        case = ET.SubElement(suite, "testcase", attributes)
        said = "\n".join(of_one(finding))
        if finding.passed:
            ET.SubElement(case, "system-out").text = said
        else:
            message = finding.mistake.name if finding.mistake else "unknown mistake"
            tag = "failure" if finding.status == WRONG else "error"
            ET.SubElement(case, tag, {"message": message}).text = said
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
