"""Ring attention: each process holds some rows of a text, and keys and values are passed around a ring."""

import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import torch
import torch.distributed as dist

from .contracts import checked
from .long_attention import finish_online_softmax, init_online_softmax, update_online_softmax


@checked
@torch.no_grad()
def ring_attention(Q, K, V, causal=False):
    """Return the attention of this process's rows to the whole text, of which each process holds a part.

        Z = Σ_r exp(S_r) V_r / Σ_r Σ_j exp(S_rj)   with   S_r = Q K_rᵀ / √d,   by an online softmax

    Parameters
    ----------
    Q : (..., T, d) float, d from 1
        The queries of this process: T differs where the text does not divide evenly.
    K : (..., T, d) float
        The keys of the same rows.
    V : (..., T, e) float
        The values of the same rows.
    causal : bool
        Whether a token sees only itself and what stands before it in the whole text.

    Returns
    -------
    Z : (..., T, e) tensor
        The same rows that one process alone would find.

    References
    ----------
    Liu, Zaharia & Abbeel (2023), "Ring attention with blockwise transformers for near-infinite context",
    section 3.
    """
    rank, number = dist.get_rank(), dist.get_world_size()
    lengths = [torch.zeros((), dtype=torch.long) for _ in range(number)]
    dist.all_gather(lengths, torch.tensor(Q.shape[-2]))
    starts = torch.tensor([0, *lengths]).cumsum(0).tolist()
    q, sofar = Q / Q.shape[-1] ** 0.5, init_online_softmax(Q, K, V)
    for turn in range(number):
        owner, coming = (rank - turn) % number, (rank - turn - 1) % number
        passing, arriving = _pass_on(K, V, int(lengths[coming])) if turn < number - 1 else ([], (K, V))
        if not (causal and owner > rank):
            scores = q @ K.mT
            if causal:
                past = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(starts[rank] - starts[owner])
                scores = scores.masked_fill(~past, -torch.inf)
            sofar = update_online_softmax(sofar, scores, V)
        for message in passing:
            message.wait()
        K, V = arriving
    return finish_online_softmax(sofar).to(q.dtype)


def _pass_on(K, V, length):
    """Send K and V to the next process while computing; return the messages and the rows to receive."""
    rank, number = dist.get_rank(), dist.get_world_size()
    arriving = [rows.new_empty(*rows.shape[:-2], length, rows.shape[-1]) for rows in (K, V)]
    sent = [dist.isend(rows.contiguous(), (rank + 1) % number, tag=i) for i, rows in enumerate((K, V))]
    return [
        *sent,
        *(dist.irecv(rows, (rank - 1) % number, tag=i) for i, rows in enumerate(arriving)),
    ], arriving


@checked
def attention_over_processes(Q, K, V, number=2, causal=False):
    """Return attention computed by several processes on this machine, each of which holds a part of the text.

    Parameters
    ----------
    Q : (..., T, d) float, d from 1
    K : (..., T, d) float
    V : (..., T, e) float
    number : () int from 1 to T
        How many processes; at most T.
    causal : bool
        Whether each token sees only itself and what stands before it.

    Returns
    -------
    Z : (..., T, e) tensor

    Notes
    -----
    The processes meet in a file, so no port has to be free. Works from a notebook too. Starting them, each
    with its own PyTorch, takes some seconds. They compute on the CPU; Z comes back to the device of Q.
    """
    with tempfile.TemporaryDirectory() as folder:
        parts = zip(*(rows.detach().cpu().tensor_split(number, dim=-2) for rows in (Q, K, V)), strict=True)
        for rank, rows in enumerate(parts):
            torch.save([each.clone() for each in rows], Path(folder) / f"rows-{rank}.pt")
        _run(folder, number, causal)
        parts = [torch.load(Path(folder) / f"Z-{rank}.pt") for rank in range(number)]
        return torch.cat(parts, dim=-2).to(Q.device)


def _run(folder, number, causal):
    """Start the processes and wait for them; if one fails, stop all of them and raise its error."""
    home = str(Path(__file__).parents[2])  # where the children find this package
    found = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", __name__, folder, str(number), "causal" if causal else "all"]
    with ExitStack() as stack:
        said = [stack.enter_context((Path(folder) / f"said-{rank}").open("w+")) for rank in range(number)]
        workers = []
        for rank in range(number):
            how = {"env": os.environ | {"PYTHONPATH": found}, "stdout": said[rank], "stderr": said[rank]}
            workers.append(stack.enter_context(subprocess.Popen([*command, str(rank)], **how)))
            stack.callback(workers[-1].kill)
        while None in (ends := [worker.poll() for worker in workers]) and not any(ends):
            time.sleep(0.02)
        for rank in range(number):
            if ends[rank]:
                said[rank].seek(0)
                raise RuntimeError(f"Process {rank} of {number} failed: {said[rank].read()[-2000:]}")


def _work(folder, number, which, rank):
    """Run one of the processes: read some rows, join the others, compute the attention, write the result."""
    torch.set_num_threads(1)
    meeting = (Path(folder) / "meeting").as_uri()
    dist.init_process_group("gloo", init_method=meeting, rank=int(rank), world_size=int(number))
    rows = torch.load(Path(folder) / f"rows-{rank}.pt")
    torch.save(ring_attention(*rows, causal=which == "causal"), Path(folder) / f"Z-{rank}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    _work(*sys.argv[1:])
