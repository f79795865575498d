"""Whoever searches for a standard term finds an entry, which says what it means and where it is taught."""

# ruff: noqa: E501 -- a list of terms

import re

import pytest

from support.places import ROOT

GLOSSARY = (ROOT / "book" / "glossary.md").read_text("utf-8").partition("```{glossary}")[2]
ENTRIES = dict(re.findall(r"^(?!\s|```|#|-)(\S.*)\n((?:  .*\n?)+)", GLOSSARY, re.M))
#: What readers of this field look up: the headings of d2l, of Prince, and of Jurafsky and Martin, and the names
#: that they meet in papers and in the source of `transformers`, vLLM and TRL.
STANDARD = """
one-hot vector|standardization|tokenizer|byte-pair encoding|embedding|cosine similarity|convolution|kernel
receptive field|recurrent neural network|hidden state|LSTM|GRU|gate|sigmoid|tanh|bottleneck|vanishing gradient
chain rule|Jacobian|random seed|multilayer perceptron|kernel regression|softmax|temperature|query|key|value
scaled dot-product attention|self-attention|cross-attention|multi-head attention|multi-query attention
grouped-query attention|permutation equivariance|positional encoding|rotary position embedding|ALiBi|wavelength
position interpolation|NTK-aware scaling|length extrapolation|residual connection|layer normalization|RMS norm
pre-norm|post-norm|activation function|ReLU|GELU|SwiGLU|dropout|initialization|weight tying|causal mask|padding
language model|n-gram model|cross-entropy|perplexity|surprisal|entropy rate|Kullback–Leibler divergence
gradient descent|stochastic gradient descent|learning rate|weight decay|AdamW|overfitting|validation set|epoch
pretraining|fine-tuning|self-supervised learning|supervised learning|teacher forcing|decoding|greedy decoding
top-k sampling|top-p sampling|min-p|beam search|context length|decoder-only model|sequence-to-sequence model
masked language model|FlashAttention|linear attention|feature map|state space model|sliding window
convolutional neural network|pooling|stride|channel|locality|weight sharing|vision transformer|data augmentation
InfoNCE|induction head|circuit|superposition|mixture of experts|router|load balancing|scaling law
compute-optimal training|mixed precision|quantization|attention sink|logit lens|chat template|system prompt
LoRA|rank|DPO|GRPO|PPO|RLHF|policy gradient|reward model|reward hacking|pass@k|speculative decoding
rejection sampling|key-value cache|latency|throughput|paged attention|continuous batching
multi-head latent attention|knowledge distillation|hallucination|diffusion model|tensor parallelism
benchmark contamination
"""
TERMS = [term for line in STANDARD.split("\n") for term in line.split("|") if term]


@pytest.mark.parametrize("term", TERMS)
def test_standard_term_has_an_entry(term):
    assert term in ENTRIES


def test_list_of_standard_terms_is_long_and_free_of_repetitions():
    assert len(TERMS) == len(set(TERMS)) > 100


def test_entries_stand_in_alphabetical_order():
    terms = [term.casefold().replace("–", " ") for term in ENTRIES]
    assert terms == sorted(terms)


def test_what_is_not_taught_is_named_in_further_reading():
    further = (ROOT / "book" / "further_reading.md").read_text("utf-8").casefold()
    left_out = [term for term, words in ENTRIES.items() if "Not taught in this book" in words]
    assert len(left_out) > 5
    names = {"multi-head latent attention": "latent attention", "tensor parallelism": "one model on many machines",
             "benchmark contamination": "part of the training data", "diffusion model": "diffusion"}  # fmt: skip
    assert [term for term in left_out if names.get(term, term) not in further] == []
