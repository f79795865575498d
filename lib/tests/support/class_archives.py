"""Classes as learning platforms export them, and what people make of them by hand: files by their place."""

import io
import zipfile

from clearhead.grading.commands.example import answers, notebook

RIGHT = answers().encode()
OTHER = notebook("def hard_lookup():\n    raise NotImplementedError").encode()


def zipped(files):
    """Return a zip archive, as bytes, of contents by name; a name that ends in / is a folder."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


FOLDER = {f"submissions/{name}/05_attention.ipynb": RIGHT for name in ("ada", "ben", "cleo")}
FOLDER |= {"submissions/": b"", "submissions/dora/": b"", "__MACOSX/submissions/._ada": b"x"}
FOLDER |= {"submissions/.DS_Store": b"x"}
WINDOWS = {name.replace("/", "\\"): content for name, content in FOLDER.items() if content == RIGHT}

GRADESCOPE = {
    "assignment_55_export/submission_101/05_attention.ipynb": RIGHT,
    "assignment_55_export/submission_102/05_attention.ipynb": RIGHT,
    "assignment_55_export/submission_103/answers.py": b"x = 1",
    "assignment_55_export/submission_metadata.yml": b"""---
submission_101:
  :submitters:
  - :name: Ada Lovelace
    :sid: '17'
    :email: ada@example.org
  :created_at: 2026-01-01 10:00:00.000000000 Z
  :score: 0.0
submission_102:
  :submitters:
  - :name: Ben King
    :sid: '18'
  - :name: Eva Queen
    :sid: '19'
submission_103:
  :submitters:
  - :name: Ada Lovelace
    :sid: '20'
""",
}

MOODLE = {
    "Ada Lovelace_4711_assignsubmission_file_/05_attention.ipynb": RIGHT,
    "Ben King_4712_assignsubmission_file_/homework.zip": zipped({"hw/05_attention.ipynb": RIGHT}),
    "Cleo Ng_4713_assignsubmission_file_/attention.py": b"x = 1",
    "Dora O'Neil_4714_assignsubmission_onlinetext_/onlinetext.html": b"<p>I was ill</p>",
    "Eva_Maria Roe_4715_assignsubmission_file_/05_attention.ipynb": RIGHT,
    "Eva_Maria Roe_4715_assignsubmission_onlinetext_/onlinetext.html": b"<p>see the file</p>",
    "Fay Poe_4716_assignsubmission_file_/broken.zip": b"PK\x03\x04 and no more",
}
MOODLE_FLAT = {  # files beside each other, and a class in groups; folders with no _ at the end
    "Group A-Ada Lovelace_4711_assignsubmission_file_05_attention.ipynb": RIGHT,
    "Group A-Ada Lovelace_4711_assignsubmission_file_04_soft_dictionary.ipynb": OTHER,
    "Group B-Ben King_4712_assignsubmission_file/05_attention.ipynb": RIGHT,
    "Participant_4713_assignsubmission_onlinetext_onlinetext.html": b"<p>I was ill</p>",
}

CANVAS = {
    "lovelaceada_4711_991_05_attention.ipynb": RIGHT,
    "lovelaceada_4711_992_04_soft_dictionary.ipynb": OTHER,
    "kingben_LATE_4712_993_05_attention-1.ipynb": RIGHT,
    "kingben_LATE_4712_994_04_soft_dictionary.ipynb": OTHER,
    "ngcleo_4713_995_notes.pdf": b"%PDF",
    "ngcleo_4714_996_05_attention.ipynb": RIGHT,
    "o_neildora_4715_text.html": b"<p>I was ill</p>",
    "o_neildora_4715_997_05_attention.ipynb": RIGHT,
}
CANVAS_ANONYMOUS = {
    "anon_aB1c2_991_05_attention.ipynb": RIGHT,
    "anon_aB1c2_992_04_soft_dictionary.ipynb": OTHER,
    "LATE_anon_Zz9x8_993_05_attention.ipynb": RIGHT,
    "anon_12345_link.html": b"<p>see there</p>",
}

#: name: (files, way of naming, expected: person -> number of notebooks that can be read)
CLASSES = {
    "a zip of the folder": (FOLDER, "auto", {"ada": 1, "ben": 1, "cleo": 1, "dora": 0}),
    "a zip with the slashes of Windows": (WINDOWS, "auto", {"ada": 1, "ben": 1, "cleo": 1}),
    "gradescope": (
        GRADESCOPE,
        "gradescope",
        {
            "Ada Lovelace (submission_101)": 1,
            "Ada Lovelace (submission_103)": 0,
            "Ben King, Eva Queen (submission_102)": 1,
        },
    ),
    "gradescope, not named": (
        GRADESCOPE,
        "auto",
        {"submission_101": 1, "submission_102": 1, "submission_103": 0},
    ),
    **{
        f"moodle, {names}": (
            MOODLE,
            names,
            {
                "Ada Lovelace_4711": 1,
                "Ben King_4712": 1,
                "Cleo Ng_4713": 0,
                "Dora O'Neil_4714": 0,
                "Eva_Maria Roe_4715": 1,
                "Fay Poe_4716": 0,
            },
        )
        for names in ("auto", "moodle")
    },
    **{
        f"canvas, {names}": (
            CANVAS,
            names,
            {
                "lovelaceada_4711": 2,
                "kingben_4712": 2,
                "ngcleo_4713": 0,
                "ngcleo_4714": 1,
                "o_neildora_4715": 1,
            },
        )
        for names in ("auto", "canvas")
    },
    "canvas, anonymous": (CANVAS_ANONYMOUS, "auto", {"anon_aB1c2": 2, "anon_Zz9x8": 1, "anon_12345": 0}),
    "moodle, no folders": (
        MOODLE_FLAT,
        "auto",
        {"Group A-Ada Lovelace_4711": 2, "Group B-Ben King_4712": 1, "Participant_4713": 0},
    ),
    "a way of one's own": (
        {"hw5-ada-v1.ipynb": RIGHT, "hw5-ada-v2.zip": zipped({"a.ipynb": RIGHT}), "odd.ipynb": RIGHT},
        r"hw5-(\w+)-.*",
        {"ada": 2, "odd": 1},
    ),
}
