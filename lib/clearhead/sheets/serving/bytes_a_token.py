"""19.bytes_a_token: What a token must carry."""

from clearhead.checks.exercise import Case, Exercise, Mistake

from .bytes_a_token_wrong import MORE


def bytes_a_token(numbers, layers, groups, d, length, texts, width):
    """Return the bytes read for one more token of each text, divided by the texts; `width` bytes a number."""
    cache = 2 * layers * groups * d * length * width
    return numbers * width / texts + cache


def _cases(rng):
    layers, groups, d = (int(rng.integers(2, high)) for high in (40, 12, 129))
    numbers, length = int(rng.integers(10**8, 10**9)), int(rng.integers(100, 9000))
    real = 134_515_008, 30, 3, 64
    return [
        Case(
            "seven texts, by hand",
            (100, 3, 2, 4, 5, 7, 2),
            "Seven texts share 200 bytes, and the fraction counts. A cache has 2 · 3 · 2 · 4 · 5 numbers.",
            expected=200 / 7 + 480,
        ),
        Case(
            "SmolLM2, one short text",
            (*real, 1, 1, 4),
            "All weights, and one token of keys and values: 2 · 30 · 3 · 64 numbers.",
            expected=538_060_032 + 46_080,
        ),
        Case(
            "sixty-four texts",
            (*real, 1000, 64, 4),
            "The weights are shared by all texts, the caches are not.",
        ),
        Case("two bytes a number", (*real, 1000, 8, 2), "Half as many bytes everywhere."),
        Case("nothing said yet", (*real, 0, 1, 4), "The weights alone.", expected=538_060_032),
        Case(
            "sizes of no great beauty",
            (numbers, layers, groups, d, length, 7, 2),
            "Keys and values of every layer.",
        ),
        Case(
            "a crowd",
            (numbers, layers, groups, d, length, 1000, 4),
            "A thousand texts share the weights, and each has its own cache.",
        ),
    ]


def _with(cache=lambda c, texts: c, weights=lambda w, texts: w / texts, two=2, bytes_of_cache=None):
    def answer(numbers, layers, groups, d, length, texts, width):
        kept = two * layers * groups * d * length * (bytes_of_cache or width)
        return weights(numbers * width, texts) + cache(kept, texts)

    return answer


EXERCISE = Exercise(
    id="19.bytes_a_token",
    title="What a token must carry",
    reference=bytes_a_token,
    cases=_cases,
    hints=(
        "Two things are read: the weights, and what was kept of the text so far. Which of them do "
        "texts share?",
        "One reading of the weights serves all texts. The cache of a text has keys and values: "
        "2 · layers · groups · d numbers for each of its tokens.",
        "return numbers * width / texts + 2 * layers * groups * d * length * width",
    ),
    mistakes=(
        Mistake(
            "the_cache_shared",
            _with(cache=lambda kept, texts: kept / texts),
            "You share the cache among the texts. Each text has its own; only the weights are shared.",
        ),
        Mistake(
            "the_weights_not_shared",
            _with(weights=lambda weights, texts: weights),
            "You read the weights once for each text. One reading serves them all: divide by the texts.",
        ),
        Mistake(
            "keys_without_values",
            _with(two=1),
            "You count the keys or the values. The cache holds both: times 2.",
        ),
        Mistake(
            "the_cache_forgotten",
            _with(cache=lambda kept, texts: 0),
            "The cache is missing: every token so far has keys and values in every layer.",
        ),
        Mistake(
            "bytes_of_the_cache_forgotten",
            _with(bytes_of_cache=1),
            "You count the numbers of the cache, not their bytes: times `width`.",
        ),
        Mistake(
            "all_texts_together",
            _with(weights=lambda weights, texts: weights, cache=lambda kept, texts: kept * texts),
            "That is what one step reads for all texts. Divide it by the texts.",
        ),
        Mistake(
            "bytes_of_the_weights_forgotten",
            lambda numbers, layers, groups, d, length, texts, width: (
                numbers / texts + 2 * layers * groups * d * length * width
            ),
            "You count the weights, not their bytes: times `width`.",
        ),
        Mistake(
            "bits", lambda *sizes: 8 * bytes_a_token(*sizes), "You count bits. `width` is in bytes already."
        ),
        Mistake(
            "whole_division",
            _with(weights=lambda weights, texts: weights // texts),
            "You return a whole number, by //, int() or round(). A share of the weights need not be one.",
        ),
        Mistake(
            "one_layer",
            lambda numbers, layers, groups, d, length, texts, width: bytes_a_token(
                numbers, 1, groups, d, length, texts, width
            ),
            "You count one layer. Every layer keeps keys and values.",
        ),
        Mistake(
            "one_token_of_the_past",
            lambda numbers, layers, groups, d, length, texts, width: bytes_a_token(
                numbers, layers, groups, d, 1, texts, width
            ),
            "You count one token of the cache. All tokens so far are read: times `length`.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda numbers, layers, groups, d, length, texts, width: (
            (numbers + texts * 2 * layers * groups * d * length) * width / texts
        ),
    ),
    stars=1,
    minutes=10,
)
