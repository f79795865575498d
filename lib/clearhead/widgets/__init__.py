"""Interactive figures: one JavaScript file each and a small Python class."""

from .analogy import Analogy
from .attention_row import AttentionRow
from .category_codes import CategoryCodes
from .cost_of_length import CostOfLength
from .decoding import Decoding
from .digit_vision import DigitVision
from .families import Families
from .head_split import HeadSplit
from .image_captions import ImageCaptions
from .induction_head import InductionHead
from .live_sentence import LiveSentence
from .live_transformer import LiveTransformer
from .mask_pairs import MaskPairs
from .near_orthogonal import NearOrthogonal
from .padding_leak import PaddingLeak
from .parameter_treemap import ParameterTreemap
from .path_length import PathLength
from .position_code import PositionCode
from .questions import Predict, SelfCheck
from .real_heads import RealHeads
from .scaling import Scaling
from .shape_xray import ShapeXray
from .soft_dictionary import SoftDictionary
from .sparse_pattern import SparsePattern
from .two_patterns import TwoPatterns

__all__ = [
    "Analogy",
    "AttentionRow",
    "CategoryCodes",
    "CostOfLength",
    "Decoding",
    "DigitVision",
    "Families",
    "HeadSplit",
    "ImageCaptions",
    "InductionHead",
    "LiveSentence",
    "LiveTransformer",
    "MaskPairs",
    "NearOrthogonal",
    "PaddingLeak",
    "ParameterTreemap",
    "PathLength",
    "PositionCode",
    "Predict",
    "RealHeads",
    "Scaling",
    "SelfCheck",
    "ShapeXray",
    "SoftDictionary",
    "SparsePattern",
    "TwoPatterns",
]
