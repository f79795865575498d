"""The zip file holds the pages as they are, and the same pages give the same file."""

import zipfile

import editions


def test_the_zip_holds_every_page_byte_for_byte(tmp_path, monkeypatch):
    pages = {"index.html": b"<h1>book</h1>", "chapters/a.html": b"<p>page</p>", "_static/a.js": b"1"}
    for name, text in pages.items():
        (tmp_path / "html" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "html" / name).write_bytes(text)
    (tmp_path / "_build").mkdir()
    monkeypatch.setattr(editions, "HTML", tmp_path / "html")
    monkeypatch.setattr(editions, "ROOT", tmp_path)
    first = editions.make_zip().read_bytes()
    with zipfile.ZipFile(editions.make_zip()) as archive:
        held = {name.removeprefix(f"{editions.NAME}/"): archive.read(name) for name in archive.namelist()}
    assert held == pages
    assert editions.make_zip().read_bytes() == first
