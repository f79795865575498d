"""More wrong answers of 13.vit_params."""

from clearhead.checks.exercise import Mistake


def _less(missing):
    """Return vit_params with as many parameters fewer as missing(D, P, c, V, N, L) says."""

    def answer(config):
        D, P, c, V = (config[name] for name in ("d_model", "patch_size", "channels", "num_classes"))
        N, L = (config["image_size"] // P) ** 2, config["num_layers"]
        all_of_them = P * P * c * D + (N + 5) * D + D * V + V + L * (12 * D * D + 13 * D)
        return all_of_them - missing(D, P, c, V, N, L)

    return answer


MORE = (
    Mistake(
        "embedding_for_each_patch",
        _less(lambda D, P, c, V, N, L: -(N - 1) * (P * P * c * D + D)),
        "You counted the embedding of a patch once for each patch. All patches meet the same matrix.",
    ),
    Mistake(
        "feed_forward_twice_as_wide",
        _less(lambda D, P, c, V, N, L: L * (4 * D * D + 2 * D)),
        "Your feed-forward part is twice as wide as the model. It is four times as wide.",
    ),
    Mistake(
        "one_map_of_feed_forward",
        _less(lambda D, P, c, V, N, L: L * (4 * D * D + D)),
        "Each block lacks the way back down: 4 D · D weights and D biases. The feed-forward part has "
        "two maps.",
    ),
    Mistake(
        "output_map_forgotten",
        _less(lambda D, P, c, V, N, L: L * (D * D + D)),
        "Each block lacks D · D + D: attention has four maps, the output map as well.",
    ),
    Mistake(
        "attention_forgotten",
        _less(lambda D, P, c, V, N, L: L * (4 * D * D + 4 * D)),
        "The blocks lack their attention: four maps of D · D + D.",
    ),
    Mistake(
        "four_d_d_a_block_missing",
        _less(lambda D, P, c, V, N, L: L * 4 * D * D),
        "Each block lacks 4 D · D: attention has so many weights, and each of the two maps of feed-forward.",
    ),
    Mistake(
        "norms_without_biases",
        _less(lambda D, P, c, V, N, L: (2 * L + 1) * D),
        "Each norm lacks D. It has a gain and a bias.",
    ),
    Mistake(
        "one_block_alone",
        _less(lambda D, P, c, V, N, L: (L - 1) * (12 * D * D + 13 * D)),
        "You counted one block. There are num_layers.",
    ),
    Mistake(
        "side_of_a_patch",
        _less(lambda D, P, c, V, N, L: (P * P - P) * c * D),
        "You counted P · c numbers in a patch. It has P · P · c.",
    ),
    Mistake(
        "side_of_the_grid",
        _less(lambda D, P, c, V, N, L: N * D - int(N**0.5) * D),
        "You counted the places of one row of patches. There are (image_size // P)² patches.",
    ),
    Mistake(
        "patch_embedding_forgotten",
        _less(lambda D, P, c, V, N, L: P * P * c * D + D),
        "The patch embedding is missing: P · P · c · D weights and D biases.",
    ),
    Mistake(
        "head_without_weights",
        _less(lambda D, P, c, V, N, L: D * V),
        "The head lacks its weights, D · V.",
    ),
    Mistake(
        "three_d_a_block_missing",
        _less(lambda D, P, c, V, N, L: L * 3 * D),
        "Each block lacks 3 D: queries, keys and values have biases in ViT. Or is one bias of 4 D "
        "counted as D?",
    ),
    Mistake(
        "one_d_a_block_missing",
        _less(lambda D, P, c, V, N, L: L * D),
        "Each block lacks D: so much counts each of the four biases of attention, and the last one of "
        "feed-forward.",
    ),
    Mistake(
        "last_norm_in_every_block",
        _less(lambda D, P, c, V, N, L: -(L - 1) * 2 * D),
        "You counted the last norm once for each block. It stands once, after the last.",
    ),
    Mistake(
        "places_in_every_block",
        _less(lambda D, P, c, V, N, L: -(L - 1) * (N + 1) * D),
        "You counted the places once for each block. They are added once, before the first.",
    ),
    Mistake(
        "bias_of_the_head_as_wide_as_the_model",
        _less(lambda D, P, c, V, N, L: V - D),
        "The head has a bias for each class, not for each column of the model.",
    ),
    Mistake(
        "in_millions",
        lambda config: _less(lambda *sizes: 0)(config) / 1e6,
        "You returned millions. Return the number itself.",
    ),
    Mistake(
        "biases_inside_forgotten",
        _less(lambda D, P, c, V, N, L: L * 9 * D),
        "Each block lacks 9 D: so many biases have its linear maps, 4 D in attention and 5 D in the "
        "feed-forward part.",
    ),
    Mistake(
        "feed_forward_as_wide_as_the_model",
        _less(lambda D, P, c, V, N, L: L * (6 * D * D + 3 * D)),
        "Your feed-forward part is as wide as the model. It is four times as wide.",
    ),
    Mistake(
        "weights_of_one_map_forgotten",
        _less(lambda D, P, c, V, N, L: L * D * D),
        "Each block lacks D · D: the weights of one map. Attention has four maps, and the feed-forward "
        "part counts 8 D · D.",
    ),
)
