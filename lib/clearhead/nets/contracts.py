"""The shape tables of `clearhead.maths`, enforced for their twins except while PyTorch compiles."""

from functools import partial

import torch

from clearhead import contracts
from clearhead.contracts.precision import computed_in

checked = partial(contracts.checked, skip=torch.compiler.is_compiling)
in_float32 = computed_in(torch.float32, {torch.float16, torch.bfloat16}, lambda x, dtype: x.to(dtype))
