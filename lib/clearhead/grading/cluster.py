"""Grade on many machines with Dask. Submissions travel to them: no files need be shared."""

from contextlib import contextmanager


@contextmanager
def dask_pool(address):
    """Yield a pool on the Dask cluster at an address, and its number of workers."""
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise SystemExit("--dask needs one more package: pip install 'clearhead[cluster]'") from None
    with Client(address) as client:
        yield client.get_executor(pure=False, retries=2), max(1, sum(client.nthreads().values()))
