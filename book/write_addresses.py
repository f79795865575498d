"""The two addresses of `_config.yml`, written into the files that cannot read `_config.yml`.

python book/write_addresses.py           write them, or remove them if they are empty
python book/write_addresses.py --check   write nothing; fail if a file does not agree

The files are `lib/pyproject.toml` (the links on the page of the package), `CITATION.cff`, and
`.github/ISSUE_TEMPLATE/config.yml` (the links above the forms for issues).
"""

import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT, CITATION = Path("lib/pyproject.toml"), Path("CITATION.cff")
ISSUES = Path(".github/ISSUE_TEMPLATE/config.yml")
URLS = re.compile(r"^\[project\.urls\]\n(?:.+\n)*\n", re.M)
CITED = re.compile(r"^(?:repository-code|url): .*\n", re.M)
CONTACT = re.compile(r"^contact_links:.*\n(?:[ -].*\n)*", re.M)


def addresses(config):
    """Return the addresses of the repository and of the pages, each without a final slash, or "" if unset."""
    found = config.get("repository", {}).get("url"), config.get("html", {}).get("baseurl")
    repository, pages = ((each or "").strip().rstrip("/") for each in found)
    for name, address in (("repository: url", repository), ("html: baseurl", pages)):
        if address and not re.fullmatch(r"https?://[^\s\"']+", address):
            raise ValueError(f"{name} in _config.yml is {address!r}; it must begin with https://.")
    return repository.removesuffix(".git"), pages


def with_addresses(root, repository, pages):
    """Return a dict from each file to the text that it should have with these addresses.

    Parameters
    ----------
    root : Path
        The folder with the files.
    repository, pages : str
        The address of the repository, such as "https://github.com/owner/book", and that of the pages; "" if
        there is none.
    """
    texts = {name: (root / name).read_text("utf-8") for name in (PYPROJECT, CITATION, ISSUES)}
    urls = {
        "Homepage": pages or repository,
        "Documentation": pages and f"{pages}/book/how_to_read.html",
        "Source": repository,
        "Issues": repository and f"{repository}/issues",
        "Changelog": repository and f"{repository}/blob/main/CHANGELOG.md",
    }
    lines = "".join(f'{name} = "{url}"\n' for name, url in urls.items() if url)
    section = f"[project.urls]\n{lines}\n" if lines else ""
    bare = URLS.sub("", texts[PYPROJECT])
    texts[PYPROJECT] = bare.replace(
        "[project.optional-dependencies]\n", f"{section}[project.optional-dependencies]\n"
    )
    cited = {"repository-code": repository, "url": pages}
    texts[CITATION] = CITED.sub("", texts[CITATION]) + "".join(
        f'{key}: "{url}"\n' for key, url in cited.items() if url
    )
    texts[ISSUES] = CONTACT.sub(lambda found: _contact_links(repository, pages), texts[ISSUES])
    return texts


def _contact_links(repository, pages):
    """Return, as YAML, the links that GitHub shows above the forms for issues."""
    links = []
    if pages:
        links.append(("Install and run", f"{pages}/book/installation.html", "Help for the usual problems"))
    if repository:
        security = f"{repository}/security/policy"
        links.append(("A weakness of the sandbox or the grader", security, "Please report it in private"))
    entries = "".join(
        f'  - name: "{name}"\n    url: "{url}"\n    about: "{about}"\n' for name, url, about in links
    )
    return f"contact_links:\n{entries}" if entries else "contact_links: []\n"


def main(arguments):
    """Write or check the files, and return the exit status."""
    try:
        found = addresses(yaml.safe_load((ROOT / "_config.yml").read_text("utf-8")))
    except ValueError as error:
        print(error)
        return 1
    wrong = [
        (name, text)
        for name, text in with_addresses(ROOT, *found).items()
        if (ROOT / name).read_text("utf-8") != text
    ]
    for name, text in wrong:
        if "--check" in arguments:
            print(f"{name} has other addresses than _config.yml: run python book/write_addresses.py.")
        else:
            (ROOT / name).write_text(text, encoding="utf-8")
            print(f"{name} has the addresses of _config.yml now.")
    return int(bool(wrong) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
