"""Measure the limits of this machine: operations per second and bytes per second."""

import functools
import time

import numpy as np
import torch
from compare import Row

ROUNDS, LEAST, MOST = 9, 0.1, 2.0
#: Rows of the matrices: small products do not keep two cores busy, large ones leave the fast memory.
SIZES = 1024, 2048, 4096


def least_seconds(call):
    """Return the shortest time of a call, measured in nine groups of calls within two seconds."""
    call()
    times, begun = [], time.perf_counter()
    while (taken := time.perf_counter() - begun) < LEAST or (len(times) < ROUNDS and taken < MOST):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


@functools.cache
def flops_a_second(dtype, threads, sizes=SIZES):
    """Return the highest rate of a matrix product (2 size³ operations) over some sizes, in PyTorch and NumPy.

    NumPy has float32 alone, and all cores.
    """
    before, found = torch.get_num_threads(), []
    torch.set_num_threads(threads)
    try:
        for size in sizes:
            one, two = torch.randn(2, size, size).to(dtype)
            found.append(2 * size**3 / least_seconds(lambda one=one, two=two: one @ two))
    finally:
        torch.set_num_threads(before)
    if dtype == torch.float32 and threads == before:
        found += [numpy_flops_a_second(size) for size in sizes]
    return max(found)


def has_bfloat16(threads):
    """Return whether this processor has bfloat16 instructions, without which PyTorch is extremely slow."""
    return flops_a_second(torch.bfloat16, threads, (256,)) > flops_a_second(torch.float32, threads, (256,))


def readings(nbytes):
    """Return two calls that read a given number of bytes: a matrix-vector product along rows or columns."""
    matrix, vector = torch.randn(nbytes // (4 * 8192), 8192), torch.randn(8192)
    other = matrix.reshape(8192, -1)
    return [lambda: matrix @ vector, lambda: other.T @ vector]


@functools.cache
def bytes_a_second():
    """Return the bytes per second of a matrix-vector product whose matrix fits into no cache."""
    return 2**31 / min(map(least_seconds, readings(2**31)))


@functools.cache
def numpy_flops_a_second(size=1024):
    """Return the operations per second of a product in NumPy in single precision."""
    one, two = np.random.default_rng(0).standard_normal((2, size, size), dtype=np.float32)
    return 2 * size**3 / least_seconds(lambda: one @ two)


def rows(_full, _options):
    """Yield the measured limits, from which the bounds beside other rows are computed."""
    threads = torch.get_num_threads()
    single = flops_a_second(torch.float32, threads) / 1e9
    what = "a product of two matrices, the best of 1,024 to 4,096 rows"
    told = "NumPy, float32"
    numpys = max(map(numpy_flops_a_second, SIZES)) / 1e9
    yield Row("the machine", f"{what}, float32", single, numpys, "GFLOP/s", told)
    if has_bfloat16(threads):  # else a large product takes minutes
        half = flops_a_second(torch.bfloat16, threads) / 1e9
        yield Row("the machine", f"{what}, bfloat16", half, single, "GFLOP/s", "float32")
        alone = flops_a_second(torch.bfloat16, 1) / 1e9
        yield Row("the machine", f"{what}, bfloat16, {threads} threads", half, alone, "GFLOP/s", "one thread")
    told = "a copy in NumPy, read and written"
    source = np.ones(1 << 25, dtype=np.float32)
    target = np.zeros_like(source)
    copied = 2 * source.nbytes / least_seconds(lambda: np.copyto(target, source))
    what, read = "reading a matrix of 2 GiB once", bytes_a_second()
    yield Row("the machine", what, read / 1e9, copied / 1e9, "GB/s", told)
