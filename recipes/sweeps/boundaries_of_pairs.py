"""Chapter 2: the boundaries that byte-pair encoding finds without spaces, at 27 numbers of merges."""

from sweep import chapter_code

COUNTS = {"lexicon": range(20, 541, 20), "documentation": range(50, 1351, 50)}


def sweep():
    """Return the F1 score of the boundaries: text -> number of merges -> one number."""
    page = chapter_code("boundaries_of_pairs")
    _, ids, begins = page["text_of_a_lexicon"](0, 2000)
    texts = {
        "lexicon": ("".join("abcdefghijklmnop"[i] for i in ids), begins),
        "documentation": page["letters_of_docs"](6000),
    }
    return {
        name: {
            str(count): round(float(score), 4)
            for count, score in zip(counts, page["scores_of_pairs"](*texts[name], counts), strict=True)
        }
        for name, counts in COUNTS.items()
    }


def agrees(recorded, fresh):
    """Nothing is drawn after the text, so a second run finds the same boundaries."""
    for name, scores in recorded.items():
        assert all(abs(fresh[name][count] - score) < 0.001 for count, score in scores.items()), name
