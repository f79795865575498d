"""Layer 3: training loops, schedules and evaluation for any module that returns logits."""

from .checkpoints import resume, save
from .history import History
from .loop import evaluate, token_loss, train
from .optimizers import adamw, muon
from .parallel import init_workers
from .schedules import warmup_cosine

__all__ = [
    "History",
    "adamw",
    "evaluate",
    "init_workers",
    "muon",
    "resume",
    "save",
    "token_loss",
    "train",
    "warmup_cosine",
]
