"""The algorithm of byte-pair encoding: count pairs, merge the most frequent one, and count again."""

import heapq
from collections import Counter, defaultdict
from itertools import pairwise


def merge_pair(ids, pair, new):
    """Return the ids with every occurrence of a pair replaced by one new id, from left to right.

    Parameters
    ----------
    ids : list of int
        One piece of text.
    pair : tuple of int
        The two neighbours to merge.
    new : int
        The id that stands for both.

    Returns
    -------
    merged : list of int
        A new list, shorter by one for each merge.

    Examples
    --------
    >>> merge_pair([1, 1, 1, 2, 1, 1], (1, 1), 9)
    [9, 1, 2, 9]
    """
    merged, i = [], 0
    while i < len(ids):
        if ids[i] == pair[0] and i + 1 < len(ids) and ids[i + 1] == pair[1]:
            merged.append(new)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged


def apply_merges(ids, rank, new):
    """Return the ids of one piece of text after all merges that fit, the earliest learned first.

    Parameters
    ----------
    ids : list of int
        One piece of text.
    rank : dict of tuple of int to int
        For each pair that merges, when it was learnt.
    new : dict of tuple of int to int
        For each such pair, the id that stands for both.

    Returns
    -------
    merged : list of int

    References
    ----------
    Sennrich, Haddow and Birch (2016), "Neural machine translation of rare words with subword units".
    """
    while len(ids) > 1:
        pair = min(pairwise(ids), key=lambda pair: rank.get(pair, len(rank)))
        if pair not in rank:
            break
        ids = merge_pair(ids, pair, new[pair])
    return ids


def learn_merges(word_counts, num_merges):
    """Return the pairs to merge, most frequent first.

    After each merge only the words that hold the pair are counted again. Of equally frequent pairs, the
    one with the smallest ids is merged first, so the result never depends on the order of the text.

    Parameters
    ----------
    word_counts : dict of str to int
        How often each piece of text occurs. Merges stay inside a piece.
    num_merges : int
        How many tokens to add to the 256 bytes; fewer come back when no pair is left.

    Returns
    -------
    merges : list of tuple of int
        Pairs of ids. The ids 0 to 255 are bytes, the others are earlier merges.

    References
    ----------
    Sennrich, Haddow and Birch (2016), "Neural machine translation of rare words with subword units",
    algorithm 1, with bytes in place of characters as in Radford et al. (2019), section 2.2.
    """
    words = [list(to_bytes(word)) for word in word_counts]
    frequencies = list(word_counts.values())
    counts, where = Counter(), defaultdict(set)
    for i, word in enumerate(words):
        _count_pairs(word, i, frequencies[i], counts, where)
    queue = [(-count, pair) for pair, count in counts.items()]
    heapq.heapify(queue)
    pieces = pieces_of([])
    merges, known = [], {piece: i for i, piece in enumerate(pieces)}
    while queue and len(known) < 256 + num_merges:
        count, pair = heapq.heappop(queue)
        if -count != counts[pair] or count == 0:
            continue  # the pair was counted again since; its new count waits further back
        merges.append(pair)
        piece = pieces[pair[0]] + pieces[pair[1]]
        new = known.setdefault(piece, len(pieces))
        if new == len(pieces):
            pieces.append(piece)
        changed = _merge_everywhere(pair, new, words, frequencies, counts, where)
        for other in changed:
            heapq.heappush(queue, (-counts[other], other))
    return merges


def _merge_everywhere(pair, new, words, frequencies, counts, where):
    """Merge a pair in every word that holds it; return the pairs whose counts changed."""
    changed = set()
    for i in where.pop(pair):
        before = list(pairwise(words[i]))
        for other in before:
            counts[other] -= frequencies[i]
        words[i] = merge_pair(words[i], pair, new)
        after = _count_pairs(words[i], i, frequencies[i], counts, where)
        changed.update(before, after)
    return changed


def _count_pairs(word, i, frequency, counts, where):
    """Count the pairs in word number i, record where they are, and return them."""
    pairs = list(pairwise(word))
    for pair in pairs:
        counts[pair] += frequency
        where[pair].add(i)
    return pairs


def to_bytes(text):
    """Return the UTF-8 bytes of any string, lone surrogates included."""
    return text.encode("utf-8", "surrogatepass")


def pieces_of(merges):
    """Return the bytes of every id: first the 256 bytes, then one new piece per merge."""
    pieces = [bytes([i]) for i in range(256)]
    known = set(pieces)
    for left, right in merges:
        piece = pieces[left] + pieces[right]
        if piece not in known:
            pieces.append(piece)
            known.add(piece)
    return pieces
