"""Sheet 00, shapes, axes and conventions."""

NUMBER = "00"
TITLE = "Start here"
ORDER = ("to_column_convention", "softmax", "attention_shapes", "product_shape")
USES = ("numpy", "pydoc_data.topics")
