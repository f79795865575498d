"""The directive `claims`, which lists every number in the prose of the chapters with its evidence."""

import re
from pathlib import Path

import claims_in_prose
import nbformat
from claims_in_prose import ledger
from docutils import nodes
from jupyter_cache import get_cache
from sphinx.util.docutils import SphinxDirective

#: A file that changes when a chapter is executed again, and the code that finds claims.
KEYS, CODE = ".cache/executed/keys.json", Path(claims_in_prose.__file__)
HEAD = ("number", "sentence", "evidence", "cell")
SEEDS = re.compile(r"(?:default_rng|manual_seed)\((\d+)\)|seed=(\d+)")


def chapters(root):
    """Yield (path, executed notebook, seconds) for each chapter whose outputs the cache holds."""
    cache = get_cache(root / ".cache" / "executed")
    for path in sorted((root / "chapters").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        try:
            record, executed = cache.merge_match_into_notebook(notebook)
        except KeyError:
            continue
        yield path, executed, cache.get_cache_record(record).data.get("execution_seconds", 0.0)


class Claims(SphinxDirective):
    """The directive that makes a section for each chapter, with a row for each number in its prose.

    Each section begins with the chapter's seeds and its execution time.
    """

    def run(self):
        root = Path(self.env.srcdir)
        made_from = [*(root / "chapters").glob("*.ipynb"), root / KEYS, CODE, Path(__file__)]
        for path in made_from:
            self.env.note_dependency(str(path))
        return [section for found in chapters(root) for section in self.chapter(*found)]

    def chapter(self, path, executed, seconds):
        claims = [claim for _, claim in ledger(executed.cells)]
        code = "\n".join(cell.source for cell in executed.cells if cell.cell_type == "code")
        seeds = sorted({int(one or two) for one, two in SEEDS.findall(code)})
        title = executed.cells[0].source.splitlines()[0].lstrip("# ")
        words = f"{len(claims)} numbers; {seconds:.0f} seconds; seeds {', '.join(map(str, seeds)) or 'none'}."
        section = nodes.section("", nodes.title(text=title), ids=[f"claims-{path.stem.partition('_')[0]}"])
        section += nodes.paragraph("", words)
        section += self.table(claims)
        self.state.document.note_explicit_target(section)
        return [section]

    def table(self, claims):
        table, group = nodes.table(classes=["ch-claims"]), nodes.tgroup(cols=len(HEAD))
        group += [nodes.colspec(colwidth=width) for width in (12, 45, 35, 8)]
        group += nodes.thead("", self.row(HEAD))
        group += nodes.tbody("", *(self.row(self.words(claim)) for claim in claims))
        table += group
        return table

    def words(self, claim):
        code = nodes.literal(text=claim.code) if claim.code else nodes.Text(claim.how)
        return claim.number.said, claim.number.sentence, code, str(claim.cell or "")

    def row(self, entries):
        made = (each if isinstance(each, nodes.Node) else nodes.Text(each) for each in entries)
        return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", each)) for each in made))
