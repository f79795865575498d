"""Whoever searches for a standard term finds an entry, which says what it means and where it is taught."""

# ruff: noqa: E501 -- a list of terms

import re
import tomllib

import nbformat
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
#: Headings of five courses, as they print them, so that no entry of ours decides what belongs to the field.
CONTENTS = {
    "Zhang et al., Dive into Deep Learning": """
linear regression|multilayer perceptron|backpropagation|dropout|initialization|convolution|pooling|batch normalization
residual connection|recurrent neural network|backpropagation through time|gradient clipping|LSTM|encoder–decoder
machine translation|BLEU|teacher forcing|beam search|attention pooling|additive attention|self-attention|softmax
positional encoding|vision transformer|stochastic gradient descent|momentum|Adam|learning rate schedule|word2vec|GloVe
skip-gram|subword|BERT|automatic differentiation|computational graph|label smoothing""",
    "Prince, Understanding Deep Learning": """
supervised learning|loss function|maximum likelihood|cross-entropy|regularization|early stopping|double descent
bias–variance trade-off|data augmentation|self-supervised learning|transfer learning|graph neural network
generative adversarial network|variational autoencoder|normalizing flow|diffusion model|reinforcement learning
actor-critic|policy gradient|test set|hyperparameter""",
    "Jurafsky and Martin, Speech and Language Processing": """
tokenization|n-gram model|perplexity|logistic regression|TF-IDF|cosine similarity|distributional hypothesis
contextual embedding|masked language model|instruction tuning|prompting|chain-of-thought|hallucination
retrieval-augmented generation|induction head|greedy decoding|nucleus sampling|temperature""",
    "Hugging Face, LLM course": """
byte-pair encoding|WordPiece|Unigram|tokenizer|fine-tuning|chat template|supervised fine-tuning|LoRA|GRPO
parameter-efficient fine-tuning|reward model|zero-shot""",
    "CS336, Language Modeling from Scratch": """
mixture of experts|FlashAttention|kernel fusion|arithmetic intensity|roofline|data parallelism|tensor parallelism
pipeline parallelism|gradient accumulation|gradient checkpointing|scaling law|KV cache|speculative decoding
deduplication|benchmark contamination|RLHF|DPO|RMS norm|SwiGLU|rotary position embedding|AdamW|mixed precision""",
}  # fmt: skip
HEADINGS = {
    term: course for course, terms in CONTENTS.items() for term in terms.strip().replace("\n", "|").split("|")
}
PROSE = " ".join(
    cell.source
    for path in sorted((ROOT / "chapters").glob("*.ipynb"))
    for cell in nbformat.read(path, as_version=4).cells
    if cell.cell_type == "markdown"
)


def names(text, term):
    """Return whether a text names a term, as it is or in the plural, whatever stands in bold or at a line's end."""
    plain = re.sub(r"\s+", " ", text.replace("*", "")).casefold()
    return re.search(rf"(?<![\w-]){re.escape(term.casefold())}(?:s|es)?(?![\w-])", plain) is not None


def pointers(term):
    """Return where a reader who searches for a term is sent: chapters, or the page of further reading."""
    if names(PROSE, term):
        return {"chapters"}
    entries = [words for entry, words in ENTRIES.items() if names(f"{entry} {words}", term)]
    return {page for words in entries for page in re.findall(r"further_reading|chapters/\w+", words)}


@pytest.mark.parametrize("term", TERMS)
def test_standard_term_has_an_entry(term):
    assert term in ENTRIES


@pytest.mark.parametrize(("term", "course"), HEADINGS.items())
def test_heading_of_a_course_leads_somewhere(term, course):
    """A chapter says the name, or the glossary does and points to a chapter or to further reading."""
    assert pointers(term), f"{course} has {term!r}: name it in a chapter, or in the glossary with a pointer"


def test_unknown_heading_leads_nowhere():
    """The search finds whole terms only: no name that is part of a longer word, and none that nobody wrote."""
    assert not pointers("quantum annealing")
    assert not pointers("tokenizatio")
    assert names("a *convolutional\nneural* networks", "convolutional neural network")


def test_courses_have_enough_headings():
    assert len(HEADINGS) >= 80


@pytest.mark.parametrize(
    "name", ["NTK", "MoE", "MLA", "hallucination", "YaRN", "diffusion", "flash attention", "LayerNorm"]
)
def test_name_in_everyday_use_leads_to_page(name):
    """A reader searches for the name that papers and programs use, which need not be the term itself."""
    also = tomllib.loads((ROOT / "book" / "teaches.toml").read_text("utf-8"))
    assert re.search(rf"\b{name}\b", GLOSSARY, re.I) or name in [
        term for terms in also.values() for term in terms
    ]


def test_list_of_standard_terms_is_long_and_free_of_repetitions():
    assert len(TERMS) == len(set(TERMS)) > 100


def test_entries_stand_in_alphabetical_order():
    terms = [term.casefold().replace("–", " ") for term in ENTRIES]
    assert terms == sorted(terms)


def test_what_is_not_taught_is_named_in_further_reading():
    further = (ROOT / "book" / "further_reading.md").read_text("utf-8").casefold()
    left_out = [term for term, words in ENTRIES.items() if "Not taught in this book" in words]
    assert len(left_out) > 5
    found = {"tensor parallelism": "one model on many machines"}
    assert [term for term in left_out if found.get(term, term).casefold() not in further] == []
