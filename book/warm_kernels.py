"""Kernels that have already imported the large packages, each a fork of one warm process.

Importing PyTorch, its optimizers and Matplotlib costs more than two CPU-seconds, which is more than the code
of most chapters. Therefore one process imports them once, and forks itself for every chapter. A kernel is
still a process of its own, in which no code of another chapter has run, and the book's own library is not
imported before the fork. Forking is safe only on Linux, so kernels on other systems start cold.
"""

import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress

import psutil
from jupyter_client import AsyncKernelManager

#: PyTorch imports `torch._dynamo` at the first step of any optimizer.
PRELOADED = [
    "numpy", "torch", "torch._dynamo", "matplotlib.figure", "sklearn.datasets",
    "ipykernel.kernelapp", "ipykernel.debugger", "anywidget",
]  # fmt: skip
#: With fewer kernels than this, the warm process would cost more time than it saves.
FEW = 3


class Kernel(psutil.Process):
    """A forked kernel, with the parts of `subprocess.Popen` that a kernel manager expects."""

    stdin = stdout = stderr = None

    def poll(self):
        """Return None while the kernel runs, and 0 afterwards, because its exit status is unknown here."""
        return None if self.is_running() else 0


@contextmanager
def kernel_managers(how_many):
    """Yield the class that starts kernels, which are warm on Linux if there are at least `FEW` of them."""
    if sys.platform != "linux" or how_many < FEW:
        yield AsyncKernelManager
        return
    command, lock = [sys.executable, "-Xfrozen_modules=off", __file__], threading.Lock()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as warm:

        class WarmKernelManager(AsyncKernelManager):
            async def _async_launch_kernel(self, kernel_cmd, **options):
                arguments = kernel_cmd[3:]  # those after python -m ipykernel_launcher
                with lock:
                    warm.stdin.write(json.dumps({"arguments": arguments, "folder": options["cwd"]}) + "\n")
                    warm.stdin.flush()
                    answer = warm.stdout.readline()
                if not answer:
                    raise RuntimeError(f"The warm process ended, with status {warm.wait()}: see above why.")
                self.provisioner.process = Kernel(int(answer))
                self.provisioner.pid = self.provisioner.pgid = int(answer)

        yield WarmKernelManager


def serve():
    """Fork a kernel for each line on standard input, and print its process id."""
    del sys.path[0]  # the folder of this file, from which no chapter may import
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")  # as a kernel does
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # a kernel ends when this process does
    for name in PRELOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # or the garbage collector of every kernel would look through what was imported
    signal.signal(signal.SIGCHLD, reap)
    for line in sys.stdin:
        if not (number := os.fork()):
            become_kernel(**json.loads(line))
        print(number, flush=True)


def reap(*_):
    """Reap the kernels that have ended, so that their CPU time is added to that of this process."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def become_kernel(arguments, folder):
    """Run a kernel in this process until it is shut down, as `python -m ipykernel_launcher` does."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.chdir(folder)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # the pipe on which this process answered belongs to the warm process
    sys.argv = ["ipykernel_launcher", *arguments]
    from ipykernel.kernelapp import launch_new_instance

    try:
        launch_new_instance(argv=arguments)
    finally:
        os._exit(0)


if __name__ == "__main__":
    serve()
