"""Data-parallel training: each process takes a part of every batch, and the gradients are summed.

Start them with `torchrun --nproc-per-node=2 script.py`. Every process makes the same model and draws the
same batches (same seeds); `init_workers()` tells it its share. The result is that of one process, up to the
order in which floats are added.
"""

import os

import torch
import torch.distributed as dist

from clearhead.nets.arrays import to_tensor
from clearhead.targets import IGNORE


class Workers:
    """The processes that share each batch.

    Parameters
    ----------
    rank : int
        Which of them this is, from 0.
    world_size : int
        How many there are (N).
    """

    def __init__(self, rank=0, world_size=1):
        self.rank, self.world_size = rank, world_size

    def shard(self, inputs, targets):
        """Return this process's rows of a batch, and the fraction of all targets in them.

            mean over the batch = Σ_rank share_rank (mean over the rows of rank)

        Parameters
        ----------
        inputs : (B, ...) array or tensor
            The whole batch. If it is on the CPU, its targets are counted there, which no graphics card has
            to be waited for.
        targets : (B, ...) array or tensor
            The whole batch.

        Returns
        -------
        inputs : (B/N, ...) tensor
            Every N-th row, beginning with this rank.
        targets : (B/N, ...) tensor
            The same rows.
        share : float
            1 for one process alone.

        Raises
        ------
        ValueError
            If there is no target in the batch, or none among the rows of this process.
        """
        inputs, targets = to_tensor(inputs), to_tensor(targets)
        mine = targets[self.rank :: self.world_size]
        here = int((mine != IGNORE).sum())
        all_targets = here if self.world_size == 1 else int((targets != IGNORE).sum())
        if all_targets == 0:
            raise ValueError(
                f"The batch holds no target: all {targets.numel()} of them are {IGNORE}, which marks "
                "positions that are not counted. Look at where the targets are made."
            )
        if here == 0:
            raise ValueError(
                f"Process {self.rank} of {self.world_size} finds no target in its share of a batch of "
                f"{len(targets)}: make the batch larger."
            )
        return inputs[self.rank :: self.world_size], mine, here / all_targets

    def all_reduce_sum(self, value):
        """Return the sum of a number over all processes, as a tensor."""
        value = value.detach().clone()
        if self.world_size > 1:
            dist.all_reduce(value)
        return value

    def all_reduce_gradients(self, model):
        """Replace each gradient by its sum over all processes; a parameter with no gradient keeps none."""
        learning = [p for p in model.parameters() if p.requires_grad]
        if self.world_size > 1 and learning:
            has = torch.tensor([float(p.grad is not None) for p in learning], device=learning[0].device)
            dist.all_reduce(has)
            for p, processes in zip(learning, has.tolist(), strict=True):
                if processes:
                    p.grad = torch.zeros_like(p) if p.grad is None else p.grad
                    dist.all_reduce(p.grad)


SINGLE_PROCESS = Workers()


def init_workers():
    """Return the workers that torchrun started, or a single worker without it.

    Returns
    -------
    workers : Workers
        For `train(..., workers=init_workers())`.
    """
    if "RANK" not in os.environ:
        return Workers()
    if not dist.is_initialized():
        dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    return Workers(dist.get_rank(), dist.get_world_size())
