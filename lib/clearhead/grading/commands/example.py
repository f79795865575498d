"""Ten sample submissions of sheet 05: right, incomplete, wrong in known ways, and hostile."""

import json
from pathlib import Path

from clearhead.files import write_private

IMPORTS = "import numpy as np\nfrom clearhead.checks import check, hint, ready, score\n"
IMPORTS += "from clearhead.maths.softmax import softmax\n"
RIGHT = {
    "qkv": "def qkv(X, W_q, W_k, W_v):\n    return X @ W_q, X @ W_k, X @ W_v\n",
    "attention_weights": """def attention_weights(Q, K):
    return softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
""",
    "attention_row": """def attention_row(X, W_q, W_k, W_v, i):
    q = X[i] @ W_q
    return softmax(X @ W_k @ q / np.sqrt(len(q))) @ (X @ W_v)
""",
    "self_attention": """def self_attention(X, W_q, W_k, W_v):
    Q, K, V = qkv(X, W_q, W_k, W_v)
    return attention_weights(Q, K) @ V
""",
    "column_attention": """def column_attention(X, M_q, M_k, M_v):
    return self_attention(X.T, M_q.T, M_k.T, M_v.T).T
""",
    "sharpen": """def sharpen(q, k_near, k_far, weight):
    gap = q @ (k_near - k_far) / np.sqrt(len(q))
    return np.log(weight / (1 - weight)) / gap
""",
    "attention_backward": """def attention_backward(dZ, Q, K, V):
    A = attention_weights(Q, K)
    dA = dZ @ V.T
    dS = A * (dA - (dA * A).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
    return dS @ K, dS.T @ Q, A.T @ dZ
""",
}
UNSCALED = "def attention_weights(Q, K):\n    return softmax(Q @ K.T)\n"
OVER_QUERIES = "def attention_weights(Q, K):\n    return softmax((Q @ K.T / np.sqrt(Q.shape[-1])).T).T\n"
ENDLESS = "def sharpen(q, k_near, k_far, weight):\n    while True:\n        pass\n"
VANISHES = "def qkv(X, W_q, W_k, W_v):\n    import os\n    os._exit(0)\n"
CHEATS = "np.allclose = np.array_equal = lambda *a, **k: True\ndef qkv(*a):\n    return 1, 2, 3\n"


def notebook(*cells):
    """Return the text of a notebook with these cells of code."""
    made = [
        {
            "cell_type": "code",
            "id": f"c{i}",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": c,
        }
        for i, c in enumerate(cells)
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def answers(**changed):
    """Return a notebook of right answers, in which `changed` replaces some, or leaves them out if None."""
    return notebook(IMPORTS, *(text for text in (RIGHT | changed).values() if text))


SAMPLES = {
    "ada": answers(),
    "boole": answers(sharpen=None, attention_backward=None),
    "curie": answers(attention_weights=UNSCALED),
    "dirac": answers(attention_weights=OVER_QUERIES),
    "euler": answers(sharpen=ENDLESS),
    "fermat": answers(qkv=VANISHES),
    "gauss": answers(qkv=CHEATS),
    "hopper": notebook("\n".join([IMPORTS, *reversed(RIGHT.values())])),
    "=2+5 <b>ida": answers(),
    "jacobi": "this is not a notebook",
}


def write_submissions(folder):
    """Write the ten samples into a folder, one per student, and return the folder."""
    for student, text in SAMPLES.items():
        path = Path(folder) / student.replace("/", "_")
        write_private(path / "05_attention.ipynb", text)
    return Path(folder)
