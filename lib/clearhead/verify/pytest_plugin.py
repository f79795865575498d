"""The pytest plugin, with which `pytest --clearhead my_adapter.py` adds a test for each entry point."""

from pathlib import Path

import pytest


def pytest_addoption(parser):
    group = parser.getgroup("clearhead", "verify transformer code with the known mistakes of clearhead")
    group.addoption(
        "--clearhead",
        action="append",
        default=[],
        metavar="FILE",
        help="An adapter file; each entry point that it names becomes a test.",
    )
    group.addoption(
        "--clearhead-seed",
        type=int,
        default=0,
        metavar="N",
        help="The first of the three seeds that draw the cases.  [default: 0]",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session, config, items):
    for path in config.getoption("--clearhead"):
        file = AdapterFile.from_parent(session, path=Path(path).resolve(), nodeid=Path(path).name)
        items.extend(file.collect())


class AdapterFile(pytest.File):
    """An adapter file, from which a test is collected for each entry point that it names."""

    def collect(self):
        """Yield one EntryPointItem for each entry point that the file names."""
        from clearhead.errors import UserError

        from .adapter import read
        from .entry_points import entry_points

        known = entry_points()
        try:
            adapters = read(self.path, known)
        except UserError as error:
            raise pytest.UsageError(str(error)) from None
        for name, adapter in adapters.items():
            yield EntryPointItem.from_parent(self, name=name, entry=known[name], adapter=adapter)


class EntryPointItem(pytest.Item):
    """The test that verifies the function for one entry point."""

    def __init__(self, *, entry, adapter, **more):
        super().__init__(**more)
        self.entry, self.adapter = entry, adapter

    def runtest(self):
        """Verify the function, and raise Wrong with the report if it is wrong."""
        from . import report
        from .verifying import verify

        finding = verify(self.entry, self.adapter, self.config.getoption("--clearhead-seed"))
        said = "\n".join(report.of_one(finding))
        if not finding.passed:
            raise Wrong(said)
        self.add_report_section("call", "clearhead", said)

    def repr_failure(self, excinfo, style=None):
        """Return only the report on a wrong function, without a traceback of the library's code."""
        return (
            str(excinfo.value) if isinstance(excinfo.value, Wrong) else super().repr_failure(excinfo, style)
        )

    def reportinfo(self):
        """Return the file, no line number, and the title of this test."""
        return self.path, None, f"clearhead: {self.name}"


class Wrong(Exception):
    """The error that is raised with the report on a wrong function."""
