"""Pools of workers that grade submissions, in which a worker that dies does not affect other submissions."""

import ctypes
import os
import signal
import sys
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, get_context

from clearhead.sandbox.bwrap_config import ONE_THREAD

from ..mark import worker


def dispatch(tasks, pool, max_pending):
    """Yield the marks and the timing of each task when it ends, with at most `max_pending` tasks at a time.

    A worker that dies breaks its pool, so all tasks that were sent end without marks. Each of these tasks is
    graded once more, one at a time, which finds the task that ends its worker. Therefore a run always ends.
    """
    tasks, pending = iter(tasks), {}
    while True:
        for task in islice(tasks, max_pending - len(pending)):
            pending[pool.submit(worker.grade, *task)] = task
        if not pending:
            return
        ended = wait(pending, return_when=FIRST_COMPLETED)[0]
        if any(map(_broken, ended)):
            ended = wait(pending)[0]
        suspects = [pending[future] for future in ended if _broken(future)]
        for future in ended:
            task = pending.pop(future)
            if not _broken(future):
                yield _result(future, task[0])
        if suspects:
            yield from _one_by_one(suspects)


def _broken(future):
    """Return True if a call has no result because a worker of its pool died, perhaps not its own."""
    return not future.cancelled() and isinstance(future.exception(), BrokenExecutor)


def _one_by_one(tasks):
    """Yield the marks and the timing of each task, graded in a pool that has no other task."""
    with local_pool(1) as pool:
        for task in tasks:
            future = pool.submit(worker.grade, *task)
            wait([future])
            yield _result(future, task[0])


def _result(future, student):
    """Return the marks and the timing from a worker, or the record of a failed grader if the worker died."""
    try:
        return future.result()
    except Exception as error:
        why = f"A worker of the grader died ({type(error).__name__}). Run again with --resume."
        return worker.failed(student, why), {"student": student, "attempts": 1}


class LocalPool:
    """Processes on this machine, each with its own sandbox. If one dies, the next call starts new ones."""

    def __init__(self, workers):
        self.workers = workers
        self._begin()

    def _begin(self):
        self.processes = ProcessPoolExecutor(self.workers, get_context("spawn"), initializer=_prepare)

    def submit(self, function, *arguments):
        """Start a call in one of the processes, which are restarted if one has died; return its future."""
        try:
            return self.processes.submit(function, *arguments)
        except BrokenExecutor:
            self.end()
            self._begin()
            return self.processes.submit(function, *arguments)

    def end(self):
        """Stop the processes, and wait for them.

        Up to Python 3.11.4, a thread that writes a task for a worker that died may wait for ever, unless the
        reading end of the queue is closed (CPython's gh-94777). From 3.11.5 on, Python closes that end
        itself, and closing it in two threads at once fails in one of them.
        """
        manager, queue = self.processes._executor_manager_thread, self.processes._call_queue
        if sys.version_info < (3, 11, 5) and self.processes._broken and manager is not None:
            manager.join(1)  # long enough for a thread that does not wait
            if manager.is_alive() and queue is not None:
                queue._reader.close()
        self.processes.shutdown()


@contextmanager
def local_pool(workers):
    """Yield a pool of processes on this machine, each with one thread, and stop them afterwards."""
    pool, before = LocalPool(workers), dict(os.environ)
    os.environ |= ONE_THREAD  # else workers wait for each other's threads: two take twice the CPU time
    try:
        yield pool
    except BaseException:  # such as Ctrl-C: end the workers now, and with them every sandbox
        pool.processes.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            process.terminate()
        raise
    finally:
        for name in ONE_THREAD:
            os.environ.pop(name)
        os.environ |= {name: before[name] for name in ONE_THREAD if name in before}
    pool.end()


def _prepare():
    """Make a worker ignore Ctrl-C and, on Linux, end when the grader ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, ctypes.c_ulong(signal.SIGKILL))  # end when the grader ends


@contextmanager
def dask_pool(address):
    """Yield a pool on the Dask cluster at an address, and the number of threads of its workers.

    Submissions are sent to its machines, which therefore need not share any files.
    """
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise SystemExit("--dask needs one more package: pip install 'clearhead[cluster]'") from None
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise SystemExit(f"No Dask cluster answers at {address!r:.100} ({type(error).__name__}).") from None
    with client:
        yield client.get_executor(pure=False, retries=2), max(1, sum(client.nthreads().values()))
