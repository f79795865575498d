"""Make word_vectors.npz from the embeddings of a real model; run once, and its result is committed.

    python recipes/extract_word_vectors.py FOLDER

FOLDER holds model.safetensors and vocab.txt of all-MiniLM-L6-v2. The README of lib/clearhead/pretrained
says where they come from. The same folder gives the same numbers, up to the rounding of the computer's
linear algebra.
"""

import hashlib
import json
import re
import sys
from pathlib import Path

import numpy as np

from clearhead.pretrained.vectors import EXTRACT

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TABLE = "embeddings.word_embeddings.weight"
COMMON, WIDTH, STEP = 4000, 256, 0.04
#: Words of the chapter, its sheet and its figure that are not common enough to be there anyway.
MORE = (
    "actress athens aunt banana beijing bigger biggest brave cairo cats clever cousin crown dad dogs egypt "
    "fruit fruits grandfather grandmother greece iphone japanese kings lemon lisbon madrid mom moscow pear "
    "portugal prince princess queen queens rome runner running skyscraper smaller smallest sofa spain "
    "spanish swim swimmer swimming swam tallest taller tea throne tokyo towers uncle walk walked walking "
    "warm worse"
)
PAIRS = (
    "tower towers tower skyscraper tower building king queen man woman uncle aunt walk walking swim swimming "
    "germany berlin japan tokyo france paris italy rome father mother father dad cat dog cat apple "
    "apple fruit apple phone cup coffee model fashion model learning man king woman queen"
)


def read_tensor(path, name):
    """Return one tensor of a safetensors file: eight bytes of length, a JSON header, and raw numbers."""
    data = path.read_bytes()
    if (found := hashlib.sha256(data).hexdigest()) != SHA256:
        raise ValueError(f"{path.name} has SHA-256 {found}, not {SHA256}: it is another file.")
    size = int.from_bytes(data[:8], "little")
    about = json.loads(data[8 : 8 + size])[name]
    start, stop = (8 + size + offset for offset in about["data_offsets"])
    return np.frombuffer(data[start:stop], dtype=np.float32).reshape(about["shape"])


def read_table(folder):
    """Return the pieces of the vocabulary and their embeddings, centred and scaled to length 1."""
    pieces = (folder / "vocab.txt").read_text("utf-8").splitlines()
    table = read_tensor(folder / "model.safetensors", TABLE).astype(np.float64)
    table -= table.mean(axis=0)
    return pieces, table / np.linalg.norm(table, axis=1, keepdims=True)


def reduce(rows):
    """Return the rows in their WIDTH principal directions, as integers."""
    _, _, directions = np.linalg.svd(rows, full_matrices=False)
    return np.round(rows @ directions[:WIDTH].T / STEP).astype(np.int8)


def chosen(pieces):
    """Return the first whole words of the vocabulary, which are the frequent ones, and the words of MORE."""
    whole = [piece for piece in pieces if re.fullmatch("[a-z]{2,}|a|i", piece)]
    return list(dict.fromkeys([*whole[:COMMON], *(word for word in MORE.split() if word in whole)]))


def main(folder):
    """Write the file, and print its size and how much its cosines differ from the true ones."""
    pieces, table = read_table(Path(folder))
    place = {piece: i for i, piece in enumerate(pieces)}
    words = chosen(pieces)
    rows = table[[place[word] for word in words]]
    codes = reduce(rows)
    first, second = ([place[word] for word in PAIRS.split()[start::2]] for start in (0, 1))
    np.savez_compressed(
        EXTRACT,
        codes=codes,
        words=np.frombuffer("\n".join(words).encode("ascii"), dtype=np.uint8),
        pairs=np.frombuffer(PAIRS.encode("ascii"), dtype=np.uint8),
        cosines=(table[first] * table[second]).sum(axis=1).astype(np.float32),
    )
    small = codes / np.linalg.norm(codes, axis=1, keepdims=True)
    off = np.abs(small @ small.T - rows @ rows.T)
    digest = hashlib.sha256(EXTRACT.read_bytes()).hexdigest()
    print(f"{len(words)} words, {EXTRACT.stat().st_size:,} bytes, SHA-256 {digest}")
    print(f"cosines differ by {off.mean():.3f} on average, by {off.max():.2f} at most")
    print("not in the vocabulary:", *[word for word in MORE.split() if word not in place])


if __name__ == "__main__":
    main(sys.argv[1])
