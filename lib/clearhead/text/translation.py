"""English sentences with their Spanish translations, which follow from rules.

In Spanish the adjective stands behind its noun, and articles and adjectives agree with the noun: "the red
house" is "la casa roja", "the red book" is "el libro rojo". "does not" becomes one word. (The real language
has more rules: it says "ve a la reina", with an "a" before a person.)
"""

import numpy as np

from clearhead.text.batches import IGNORE, pad

MASCULINE = {"dog": "perro", "cat": "gato", "book": "libro", "course": "curso", "king": "rey"}
FEMININE = {"house": "casa", "cup": "taza", "table": "mesa", "apple": "manzana", "queen": "reina"}
ADJECTIVES = {
    "red": "roj", "new": "nuev", "small": "pequeñ", "white": "blanc", "old": "viej", "fantastic": "fantástic",
}  # fmt: skip
VERBS = {"sees": "ve", "wants": "quiere", "has": "tiene", "paints": "pinta"}
NEGATED = {"see": "ve", "want": "quiere", "have": "tiene", "paint": "pinta"}
ARTICLES = {"the": ("el", "la"), "this": ("este", "esta"), "a": ("un", "una")}

NOUNS = MASCULINE | FEMININE
FIXED = NOUNS | VERBS | NEGATED | {"is": "es", "not": "no"}
ENGLISH = sorted({*FIXED, *ADJECTIVES, *ARTICLES, "does"})
SPANISH = sorted(
    {*FIXED.values(), *(stem + end for stem in ADJECTIVES.values() for end in "oa")}.union(*ARTICLES.values())
)
PAD, START, STOP = 0, 1, 2
VOCABULARY = ("<pad>", "<start>", "<stop>", *ENGLISH, *SPANISH)


def translate(words):
    """Return the Spanish translation of an English sentence, and the English word behind each Spanish one.

    Parameters
    ----------
    words : list of str, or str
        Words of the small dictionary of this module (a str has spaces between them).

    Returns
    -------
    spanish : list of str
        The translation.
    places : list of int
        For each Spanish word the place of its English word, counted from 0.

    Raises
    ------
    ValueError
        If a word is not in the dictionary, or has no noun to agree with.

    Examples
    --------
    >>> translate("the red house is small")
    (['la', 'casa', 'roja', 'es', 'pequeña'], [0, 2, 1, 3, 4])
    """
    words = words.split() if isinstance(words, str) else list(words)
    unknown = [word for word in words if word not in ENGLISH]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not in the small dictionary; it has {', '.join(ENGLISH)}.")
    places = _order(words)
    return [_spanish(words, place) for place in places], places


def _order(words):
    """Return the positions of the English words in the order of the Spanish words."""
    places = [i for i, word in enumerate(words) if word != "does"]
    for i in range(len(places) - 1):
        here, after = places[i : i + 2]
        pair = words[here], words[after]
        if (pair[0] in ADJECTIVES and pair[1] in NOUNS) or pair == ("is", "not"):
            places[i : i + 2] = after, here
    return places


def _spanish(words, place):
    """Return one word in Spanish, in the gender of the next noun, or of the first noun if none follows."""
    word = words[place]
    if word in FIXED:
        return FIXED[word]
    noun = next((other for other in [*words[place:], *words] if other in NOUNS), None)
    if noun is None:
        raise ValueError(f"{word!r} has no noun to agree with: give a sentence with a noun.")
    return ARTICLES[word][noun in FEMININE] if word in ARTICLES else ADJECTIVES[word] + "oa"[noun in FEMININE]


def sentence(rng):
    """Return a random English sentence: somebody is something, or does something to a thing.

    Parameters
    ----------
    rng : numpy.random.Generator
        Where the draws come from.

    Returns
    -------
    words : list of str
        4 to 9 words. Each noun has an adjective half of the time; one sentence in three says "not".
    """

    def one(choices):
        return str(rng.choice(list(choices)))

    def phrase():
        return [one(ARTICLES), *([one(ADJECTIVES)] if rng.random() < 0.5 else []), one(NOUNS)]

    negated = ["not"] if rng.random() < 1 / 3 else []
    if rng.random() < 0.5:
        return [*phrase(), "is", *negated, one(ADJECTIVES)]
    verb = ["does", "not", one(NEGATED)] if negated else [one(VERBS)]
    return [*phrase(), *verb, *phrase()]


def encode(words):
    """Return the ids of words of either language, which are their indices in `VOCABULARY`.

    Parameters
    ----------
    words : list of str, or str
        Words with spaces between them.

    Returns
    -------
    ids : list of int
        One id a word.

    Raises
    ------
    ValueError
        If a word is not in the vocabulary.
    """
    words = words.split() if isinstance(words, str) else words
    unknown = [word for word in words if word not in VOCABULARY]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is in neither of the two small vocabularies.")
    return [VOCABULARY.index(word) for word in words]


def shift_right(targets, start):
    """Return the input of a decoder: the start token, then every target except the last one.

        inputs_0 = start,   inputs_t = targets_{t-1}

    Parameters
    ----------
    targets : (..., T) int
        What is to be written, one row a sentence.
    start : () int
        The id of the token that is always there.

    Returns
    -------
    inputs : (..., T) int
        Row for row the target, one place to the right.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", figure 1, "outputs (shifted right)".
    """
    targets = np.asarray(targets)
    return np.concatenate([np.full_like(targets[..., :1], start), targets[..., :-1]], axis=-1)


def pad_pairs(pairs):
    """Return padded sources, decoder inputs and targets of some pairs of sentences.

    Parameters
    ----------
    pairs : list of (list of str, list of str)
        English and Spanish words (B pairs).

    Returns
    -------
    source : (B, S) int
        English, filled up with `PAD`.
    read : (B, T) int
        The Spanish, shifted right behind `START`, filled up with `PAD`.
    targets : (B, T) int
        The Spanish and `STOP`; -100 (`IGNORE`) where there is nothing to say.
    """
    source, _ = pad([encode(english) for english, _ in pairs], PAD)
    written, real = pad([[*encode(spanish), STOP] for _, spanish in pairs], PAD)
    return source, np.where(real, shift_right(written, START), PAD), np.where(real, written, IGNORE)
