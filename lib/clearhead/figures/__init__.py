"""Pictures of arrays, with captions; the numbers are computed elsewhere."""

from .charts import bars, curves, histogram
from .heatmaps import attention_map
from .image_maps import image_maps
from .picture import Picture
from .pixels import image_grid, pixels
from .planes import plane
from .ratios import ratios
from .tables import show, show_product, table

__all__ = [
    "Picture",
    "attention_map",
    "bars",
    "curves",
    "histogram",
    "image_grid",
    "image_maps",
    "pixels",
    "plane",
    "ratios",
    "show",
    "show_product",
    "table",
]
