"""A figure on the shapes of multi-head attention: twelve matrices, and the number of parameters."""

import traitlets

from .figure import Figure, source


class ShapeXray(Figure):
    """Every matrix of multi-head attention drawn to scale, for sizes that the reader chooses.

    Parameters
    ----------
    n : () int
        The number of tokens.
    d : () int
        The dimension of a token's vector.
    d_k : () int
        The dimension of a query, a key and a value in one head.
    H : () int
        The number of heads.
    """

    what_to_see = "Change the sizes, and see which matrices of multi-head attention grow with them."
    _esm = source("shape_xray.js")
    n = traitlets.Int(2, min=1, max=12).tag(sync=True)
    d = traitlets.Int(4, min=1, max=16).tag(sync=True)
    d_k = traitlets.Int(3, min=1, max=8).tag(sync=True)
    H = traitlets.Int(5, min=1, max=8).tag(sync=True)

    @staticmethod
    def samples(rng):
        return {name: int(rng.integers(1, 9)) for name in ("n", "d", "d_k", "H")}

    @staticmethod
    def compute(n, d, d_k, H):
        """Return the shapes of the twelve matrices, and the number of parameters."""
        head = {
            "W_q": [d, d_k],
            "W_k": [d, d_k],
            "W_v": [d, d_k],
            "Q": [n, d_k],
            "K": [n, d_k],
            "V": [n, d_k],
        }
        shapes = {"X": [n, d], **head, "A": [n, n], "Z_h": [n, d_k]}
        shapes |= {"Z": [n, H * d_k], "W_o": [H * d_k, d], "Z_out": [n, d]}
        return {"shapes": shapes, "parameters": 3 * H * d * d_k + H * d_k * d}

    @property
    def words(self):
        """Return sentences on the sizes, on the important shapes, and on the number of parameters."""
        n, d, d_k, H = self.n, self.d, self.d_k, self.H
        total = self._computed()["parameters"]
        heads = "1 head" if H == 1 else f"{H} heads"
        return (
            f"The input is {n} × {d}. Each head's weights are {n} × {n} and its output is {n} × {d_k}; "
            f"{heads} side by side are {n} × {H * d_k}, and the output is {n} × {d}. "
            f"Parameters: {H} × 3 × ({d} × {d_k}) + {H * d_k} × {d} = {total:,}."
        )

    @property
    def fallback(self):
        """Return HTML with a table of the twelve shapes, followed by the text of `words`."""
        shapes = self._computed()["shapes"]
        cells = [f"<th scope='row'>{name}</th><td>{r} × {c}</td>" for name, (r, c) in shapes.items()]
        rows = "".join(f"<tr>{''.join(cells[at : at + 4])}</tr>" for at in range(0, 12, 4))
        return self._still(f"<table>{rows}</table><p>{self.words}</p>")
