"""More wrong answers of 12.online_softmax."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _read(step, back=lambda highest, total: (highest, total), top=max, start=-np.inf):
    """Return an answer in which step(total, before, highest, piece) makes the next total."""

    def answer(pieces):
        highest, total = start, 0.0
        for piece in pieces:
            before, highest = highest, top(highest, piece.max())
            total = step(total, before, highest, piece)
        return back(highest, total)

    return answer


def _right(total, before, highest, piece):
    return total * np.exp(before - highest) + np.exp(piece - highest).sum()


def _mean(pieces):
    highest, total, many = -np.inf, 0.0, 0
    for piece in pieces:
        before, highest, many = highest, max(highest, piece.max()), many + len(piece)
        total = _right(total, before, highest, piece)
    return highest, total / many


def _without_new_tops(total, before, highest, piece):
    """Return the next total where a score that is higher than all before it only shrinks the total."""
    new = piece > np.maximum.accumulate(np.concatenate([[before], piece[:-1]]))
    return _right(total, before, highest, piece) - np.exp(piece[new] - highest).sum()


def _with_one_score(place):
    """Return an answer that takes the score at one place of a piece for the highest of the piece."""

    def answer(pieces):
        highest, total = -np.inf, 0.0
        for piece in pieces:
            before, highest = highest, max(highest, piece[place])
            total = _right(total, before, highest, piece)
        return highest, total

    return answer


MORE = (
    Mistake(
        "total_first",
        _read(_right, lambda highest, total: (total, highest)),
        "You return the total first. The highest score comes first, then the total.",
    ),
    Mistake(
        "new_piece_shrunk_too",
        _read(
            lambda total, before, highest, piece: (
                (total + np.exp(piece - highest).sum()) * (np.exp(before - highest) if total else 1)
            )
        ),
        "You shrink the new piece as well. It is measured from the new top: shrink the old total alone.",
    ),
    Mistake(
        "each_piece_from_its_own_top",
        _read(
            lambda total, before, highest, piece: (
                total * np.exp(before - highest) + np.exp(piece - piece.max()).sum()
            )
        ),
        "You measure each piece from its own highest score. Measure it from the highest so far.",
    ),
    Mistake(
        "own_tops_and_no_shrinking",
        _read(lambda total, before, highest, piece: total + np.exp(piece - piece.max()).sum()),
        "You measure each piece from its own highest score, and add. Measure from the highest so far, and "
        "shrink the old total when it rises.",
    ),
    Mistake(
        "mean_of_a_piece",
        _read(
            lambda total, before, highest, piece: (
                total * np.exp(before - highest) + np.exp(piece - highest).mean()
            )
        ),
        "You take the mean of a piece. Take the sum.",
    ),
    Mistake(
        "top_of_a_piece_alone",
        _read(
            lambda total, before, highest, piece: (
                total * np.exp(before - highest) + np.exp(piece.max() - highest)
            )
        ),
        "Of each piece you count the highest score alone. All its scores count.",
    ),
    Mistake(
        "powers_of_two",
        _read(
            lambda total, before, highest, piece: (
                total * 2.0 ** (before - highest) + (2.0 ** (piece - highest)).sum()
            )
        ),
        "You take powers of 2. The total is of powers of e.",
    ),
    Mistake(
        "absolute_scores",
        _read(_right, top=lambda highest, top: max(highest, abs(top))),
        "You took the sign off the highest score of a piece. -9 is a low score.",
    ),
    Mistake(
        "total_begins_anew",
        _read(
            lambda total, before, highest, piece: (
                (total if highest == before else 0.0) + np.exp(piece - highest).sum()
            )
        ),
        "When the top rises you begin with a total of 0. The old total stays, times e to (old top - new "
        "top).",
    ),
    Mistake(
        "pieces_without_a_new_top_left_out",
        _read(
            lambda total, before, highest, piece: (
                total if highest == before else _right(total, before, highest, piece)
            )
        ),
        "A piece that brings no new highest score is not added to your total. Add every piece.",
    ),
    Mistake(
        "logarithm_of_the_total",
        _read(_right, lambda highest, total: (highest, np.log(total))),
        "Your second number is the logarithm of the total. Return the total itself.",
    ),
    Mistake(
        "new_top_not_counted",
        _read(_without_new_tops),
        "A new highest score shrinks the total, but is not added itself. It counts e to 0, which is 1.",
    ),
    Mistake(
        "first_piece_counted_twice",
        _read(
            lambda total, before, highest, piece: (
                _right(total, before, highest, piece) * (1 + (before == -np.inf))
            )
        ),
        "The first piece counts twice: once where you begin, and once more in the loop. It counts once.",
    ),
    Mistake(
        "shrunk_twice",
        _read(
            lambda total, before, highest, piece: _right(
                total * np.exp(before - highest), before, highest, piece
            )
        ),
        "You shrink the old total twice. Once is enough.",
    ),
    Mistake(
        "divided_by_how_many",
        _mean,
        "You divided the total by how many scores there are. It is the sum.",
    ),
    Mistake(
        "last_score_for_the_top",
        _with_one_score(-1),
        "You take the last score of a piece for its highest. Use piece.max().",
    ),
    Mistake(
        "first_score_for_the_top",
        _with_one_score(0),
        "You take the first score of a piece for its highest. Use piece.max().",
    ),
    Mistake(
        "new_piece_shrunk_alone",
        _read(
            lambda total, before, highest, piece: (
                total
                + (np.exp(before - highest) if np.isfinite(before) else 1) * np.exp(piece - highest).sum()
            )
        ),
        "You shrink the new piece, and not the old total. It is the old one that was measured from a lower "
        "top.",
    ),
)
