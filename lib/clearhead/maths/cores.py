"""Pieces of work side by side, each on one core."""

from concurrent.futures import ThreadPoolExecutor

from threadpoolctl import ThreadpoolController


def side_by_side(work, pieces):
    """Call `work` on each of the pieces, on as many cores as NumPy's products may use; nothing comes back.

    NumPy spreads products over the cores, but takes exponentials on one. Here a piece has a core for all that
    it needs, products included. To begin costs a millisecond.
    """
    blas = ThreadpoolController().select(user_api="blas")
    cores = max((library["num_threads"] for library in blas.info()), default=1)
    if cores == 1:
        one_by_one(work, pieces)
    else:
        with blas.limit(limits=1), ThreadPoolExecutor(cores) as pool:
            for _ in pool.map(work, pieces):  # raises what a piece raises
                pass


def one_by_one(work, pieces):
    """Call `work` on each of the pieces; nothing comes back."""
    for piece in pieces:
        work(piece)
