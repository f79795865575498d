"""Sheet 01, vectorization."""

NUMBER = "01"
TITLE = "Vectorization"
ORDER = (
    "one_hot",
    "image_to_vector",
    "vector_to_image",
    "standardize",
    "onehot_matmul",
    "r_squared",
    "ordinal_distance",
)
USES = ("numpy", "sklearn.datasets")
#: The answers that an answer may build on: marked again with right ones where these failed.
HELPERS = {
    "onehot_matmul": ("one_hot",),
    "ordinal_distance": ("one_hot",),
}
