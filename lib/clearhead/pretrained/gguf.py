"""Reading of files in the format GGUF: their metadata, and the positions and entries of their tensors."""

import math
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clearhead.maths.quantization import unpack_q4_1, unpack_q8_0

SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
STRING, ARRAY = 8, 9
MOST_AXES = 4


@dataclass(frozen=True)
class Kind:
    """The packing of the entries of a tensor: how many entries are in a block of how many bytes."""

    name: str
    numbers: int
    bytes: int
    unpack: object


KINDS = {
    0: Kind("F32", 1, 4, lambda blocks: blocks.view("<f4").astype(np.float32)),
    1: Kind("F16", 1, 2, lambda blocks: blocks.view("<f2").astype(np.float32)),
    3: Kind("Q4_1", 32, 20, unpack_q4_1),
    8: Kind("Q8_0", 32, 34, unpack_q8_0),
}


@dataclass(frozen=True)
class Tensor:
    """One tensor of a file: its shape, its packing, and the position of its bytes."""

    name: str
    shape: tuple
    kind: Kind
    start: int

    @property
    def size(self):
        """Return the number of entries of the tensor."""
        return math.prod(self.shape)

    @property
    def bytes(self):
        """Return the number of bytes of the tensor in the file."""
        return self.size // self.kind.numbers * self.kind.bytes


class Header:
    """A reader of the header of a file, value by value."""

    def __init__(self, data):
        self.data, self.place = memoryview(data), 0  # slicing a memory map costs ten times as much

    def number(self, letter):
        """Return the next number, whose type is a format character of the module struct."""
        size = struct.calcsize(f"<{letter}")
        (found,) = struct.unpack(f"<{letter}", self.take(size))
        return found

    def take(self, size):
        """Return the next bytes of the header; raise ValueError if there are fewer."""
        piece = self.data[self.place : self.place + size].tobytes()
        if len(piece) < size:
            raise ValueError("The file ends in the middle of its header: it is damaged, or not all of it.")
        self.place += size
        return piece

    def text(self):
        """Return the next string, which is stored as its length and its bytes."""
        try:
            return self.take(self.number("Q")).decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError("The header holds a text that is not UTF-8: damaged.") from None

    def value(self, kind):
        """Return the next value: a number, a string, or a list of either."""
        if kind == STRING:
            return self.text()
        if kind == ARRAY:
            inner, count = self.number("I"), self.number("Q")
            if inner == ARRAY:
                raise ValueError("The header holds lists inside a list, which no model needs: damaged.")
            return [self.value(inner) for _ in range(count)]
        if kind not in SCALARS:
            raise ValueError(f"The header holds a value of kind {kind}, which GGUF does not have: damaged.")
        return self.number(SCALARS[kind])

    def tensor(self):
        """Return the name, shape and kind of the next tensor, and its position after the header."""
        name = self.text()
        # The file names the axis of neighbouring entries first; NumPy names it last.
        if (axes := self.number("I")) > MOST_AXES:
            raise ValueError(f"The tensor {name} has {axes} axes, and GGUF allows {MOST_AXES}: damaged.")
        shape = tuple(self.number("Q") for _ in range(axes))[::-1]
        kind, start = self.number("I"), self.number("Q")
        if kind not in KINDS:
            known = ", ".join(each.name for each in KINDS.values())
            raise ValueError(f"The tensor {name} is packed in way {kind}; we unpack {known}.")
        tensor = Tensor(name, shape, KINDS[kind], start)
        if (shape[-1] if shape else 1) % tensor.kind.numbers:
            raise ValueError(
                f"The tensor {name} of shape {shape} has rows of no whole blocks of {tensor.kind.numbers}."
            )
        return tensor

    def entries(self, count):
        """Return the metadata of a file as a dict with `count` names."""
        found = {}
        for _ in range(count):
            name = self.text()
            if name in found:
                raise ValueError(f"The header says {name!r} twice: damaged.")
            found[name] = self.value(self.number("I"))
        return found


class GGUF:
    """An opened file in the format GGUF, whose tensors are read from the disk when they are needed.

    Parameters
    ----------
    path : path

    Attributes
    ----------
    metadata : dict of str to number, str or list
        The description of the model: sizes, tokens, merges, the chat template.
    tensors : dict of str to Tensor

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is not a complete GGUF file of version 2 or 3, or has tensors of an unknown packing.
    """

    def __init__(self, path):
        self.path = Path(path)
        if self.path.stat().st_size < 24:
            raise ValueError(f"{self.path} is too short to be a GGUF file.")
        self.data = np.memmap(self.path, dtype=np.uint8, mode="r")
        header = Header(self.data)
        if header.take(4) != b"GGUF" or header.number("I") not in (2, 3):
            raise ValueError(f"{self.path} is no GGUF file of version 2 or 3: it does not begin like one.")
        try:
            num_tensors, num_entries = header.number("Q"), header.number("Q")
            self.metadata = header.entries(num_entries)
            tensors = [header.tensor() for _ in range(num_tensors)]
        except ValueError as error:
            raise ValueError(f"{self.path} cannot be read. {error}") from None
        self.tensors = {tensor.name: tensor for tensor in tensors}
        if len(self.tensors) < len(tensors):
            raise ValueError(f"{self.path} names a tensor twice: damaged.")
        alignment = self.number("general.alignment", int) if "general.alignment" in self.metadata else 32
        if alignment % 8:
            raise ValueError(f"{self.path} has the alignment {alignment}, no multiple of 8: damaged.")
        self.start = -(-header.place // alignment) * alignment  # the header is filled up to a whole multiple
        for each in tensors:
            if each.start % alignment:
                raise ValueError(f"{self.path} has the tensor {each.name} off the alignment: damaged.")
            if self.start + each.start + each.bytes > len(self.data):
                raise ValueError(f"{self.path} is shorter than its header says: not all of it is there.")

    def number(self, name, kind, least=1):
        """Return a number in the metadata of the file; raise ValueError if it is missing or not valid.

        Parameters
        ----------
        name : str
        kind : type
            int or float.
        least : int
            The smallest valid value of an int; a float must be finite and above 0.

        Raises
        ------
        ValueError
            If the metadata does not contain such a number under this name.
        """
        value = self.metadata.get(name)
        if kind is int:
            fits, wanted = type(value) is int and value >= least, f"an integer of at least {least}"
        else:
            fits = type(value) in (int, float) and 0 < value < math.inf
            wanted = "a finite number above 0"
        if not fits:
            raise ValueError(f"{self.path} says {name} = {value!r}, which must be {wanted}.")
        return value

    def tensor(self, name):
        """Return the Tensor of this name; raise a ValueError if there is no such tensor."""
        if name not in self.tensors:
            raise ValueError(f"{self.path} holds no tensor {name!r}.")
        return self.tensors[name]

    def blocks(self, name):
        """Return the bytes of a tensor, one row per block.

        Parameters
        ----------
        name : str

        Returns
        -------
        blocks : (N, bytes of a block) uint8
            A read-only view of the file on the disk.
        """
        tensor = self.tensor(name)
        start = self.start + tensor.start
        return self.data[start : start + tensor.bytes].reshape(-1, tensor.kind.bytes)

    def array(self, name):
        """Return the unpacked entries of a tensor as an array.

        Parameters
        ----------
        name : str

        Returns
        -------
        array : float32 array of the tensor's shape
            For a linear map (F, D): the rows are outputs, as in `torch.nn.Linear`.
        """
        tensor = self.tensor(name)
        return tensor.kind.unpack(np.asarray(self.blocks(name))).reshape(tensor.shape)
