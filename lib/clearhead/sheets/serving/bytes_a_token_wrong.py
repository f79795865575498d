"""More wrong answers of 19.bytes_a_token."""

import math

from clearhead.checks.exercise import Mistake


def _bytes(cache=lambda layers, groups, d, length: 2 * layers * groups * d * length, join=None):
    """Return the bytes with another number of cached numbers, or joined in another way."""

    def answer(numbers, layers, groups, d, length, texts, width):
        kept = cache(layers, groups, d, length)
        if join is None:
            return numbers * width / texts + kept * width
        return join(numbers * width, kept * width, texts, layers)

    return answer


MORE = (
    Mistake(
        "groups_forgotten",
        _bytes(lambda layers, groups, d, length: 2 * layers * d * length),
        "The groups are missing in the cache: each group has its own keys and values.",
    ),
    Mistake(
        "size_forgotten",
        _bytes(lambda layers, groups, d, length: 2 * layers * groups * length),
        "The size d is missing in the cache: a key holds d numbers.",
    ),
    Mistake(
        "new_token_counted",
        _bytes(lambda layers, groups, d, length: 2 * layers * groups * d * (length + 1)),
        "You counted one token more. The cache holds the `length` tokens so far.",
    ),
    Mistake(
        "length_squared",
        _bytes(lambda layers, groups, d, length: 2 * layers * groups * d * length**2),
        "The length is squared. One new token reads each key once: the cache grows with the length.",
    ),
    Mistake(
        "size_squared",
        _bytes(lambda layers, groups, d, length: 2 * layers * groups * d**2 * length),
        "The size d is squared. A key holds d numbers.",
    ),
    Mistake(
        "three_for_two",
        _bytes(lambda layers, groups, d, length: 3 * layers * groups * d * length),
        "You counted three, with the queries perhaps. Keys and values are kept: two.",
    ),
    Mistake(
        "four_for_two",
        _bytes(lambda layers, groups, d, length: 4 * layers * groups * d * length),
        "You doubled twice. Keys and values: times 2, once.",
    ),
    Mistake(
        "caches_of_all_texts",
        _bytes(join=lambda weights, cache, texts, layers: weights / texts + cache * texts),
        "You count the caches of all texts. A token of one text reads its own.",
    ),
    Mistake(
        "weights_for_each_text",
        _bytes(join=lambda weights, cache, texts, layers: weights * texts + cache),
        "You multiplied the weights by the texts. One reading serves all texts: divide.",
    ),
    Mistake(
        "weights_in_every_layer",
        _bytes(join=lambda weights, cache, texts, layers: weights * layers / texts + cache),
        "You multiplied the weights by the layers. `numbers` counts the weights of the whole model.",
    ),
    Mistake(
        "weights_twice",
        _bytes(join=lambda weights, cache, texts, layers: 2 * weights / texts + cache),
        "You doubled the weights. The 2 is for keys and values.",
    ),
    Mistake(
        "weights_forgotten",
        _bytes(join=lambda weights, cache, texts, layers: cache),
        "The weights are missing: numbers · width / texts.",
    ),
    Mistake(
        "texts_exchanged",
        _bytes(join=lambda weights, cache, texts, layers: weights + cache / texts),
        "You divided the cache by the texts, and not the weights. It is the other way round.",
    ),
    Mistake(
        "in_megabytes",
        _bytes(join=lambda weights, cache, texts, layers: (weights / texts + cache) / 10**6),
        "That is in megabytes. Return bytes.",
    ),
    Mistake(
        "numbers_not_bytes",
        lambda numbers, layers, groups, d, length, texts, width: (
            numbers / texts + 2 * layers * groups * d * length
        ),
        "You counted numbers. Each has `width` bytes.",
    ),
    Mistake(
        "divided_by_8",
        _bytes(join=lambda weights, cache, texts, layers: (weights / texts + cache) / 8),
        "You divided by 8, as if `width` were in bits. It is in bytes.",
    ),
    Mistake(
        "rounded",
        lambda *sizes: math.ceil(_bytes()(*sizes)),
        "You rounded. A share of the weights need not be a whole number: return it as it is.",
    ),
    Mistake(
        "layers_and_groups_added",
        _bytes(lambda layers, groups, d, length: 2 * (layers + groups) * d * length),
        "You added layers and groups. Each layer has all groups: multiply.",
    ),
    Mistake(
        "width_squared",
        lambda *sizes: _bytes(lambda *cache: 2 * math.prod(cache) * sizes[-1])(*sizes),
        "The width stands twice in your cache. Each number has `width` bytes, once.",
    ),
    Mistake(
        "one_token_too_few",
        _bytes(lambda layers, groups, d, length: 2 * layers * groups * d * max(length - 1, 0)),
        "You left out one token of the cache. It holds all `length` tokens so far.",
    ),
    Mistake(
        "in_kibibytes",
        _bytes(join=lambda weights, cache, texts, layers: (weights / texts + cache) / 1024),
        "You divided by 1024. Return bytes.",
    ),
    Mistake(
        "all_divided_once_more",
        _bytes(join=lambda weights, cache, texts, layers: (weights / texts + cache) / texts),
        "You divided by the texts once more. The cache is that of one text, and the weights are shared "
        "already.",
    ),
    Mistake(
        "groups_divide",
        _bytes(lambda layers, groups, d, length: 2 * layers * d / groups * length),
        "You divided by the groups. d is the size of one group: multiply.",
    ),
    Mistake(
        "all_lengths_added",
        _bytes(lambda layers, groups, d, length: layers * groups * d * length * (length + 1)),
        "You added up all lengths from 1 on. One more token reads the cache once.",
    ),
    Mistake(
        "weights_for_each_token",
        lambda numbers, layers, groups, d, length, *rest: _bytes()(
            numbers * length, layers, groups, d, length, *rest
        ),
        "You read the weights once for each token of the past. They are read once for the new one.",
    ),
    Mistake(
        "cache_taken_away",
        _bytes(join=lambda weights, cache, texts, layers: weights / texts - cache),
        "You subtracted the cache. It is read besides: add it.",
    ),
    Mistake(
        "larger_of_the_two",
        _bytes(join=lambda weights, cache, texts, layers: max(weights / texts, cache)),
        "You took the larger of weights and cache. Both are read: add them.",
    ),
    Mistake(
        "keys_or_values_shared",
        _bytes(join=lambda weights, cache, texts, layers: weights / texts + cache / 2 + cache / 2 / texts),
        "You shared keys or values among the texts. Each text has both of its own.",
    ),
)
