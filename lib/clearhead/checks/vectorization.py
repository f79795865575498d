"""Sheet 01, vectorization: seven exercises, each with its mistakes, hence longer than 200 lines."""

from itertools import combinations

import numpy as np

from clearhead.maths.vectors import image_to_vector, one_hot, r_squared, standardize, vector_to_image

from .exercise import Case, Exercise, Mistake, Sheet


def _sizes(rng, count, low=2, high=8):
    """Return that many whole numbers from `low` to `high`, all different."""
    return [int(size) for size in rng.permutation(np.arange(low, high + 1))[:count]]


# 01.standardize --------------------------------------------------------------------------------------------


def _divided_by(spread):
    """Return a standardize that divides the centred columns by another spread."""
    return lambda X: (X - X.mean(axis=0)) / spread(X)


def _safe(spread):
    """Return the spreads with 1 in place of 0, so that a constant column becomes zeros."""
    return np.where(spread > 0, spread, 1)


def _min_max(X):
    return (X - X.min(axis=0)) / _safe(np.ptp(X, axis=0))


def _by_row(X):
    return (X - X.mean(axis=1, keepdims=True)) / _safe(X.std(axis=1, keepdims=True))


def _above(smallest):
    """Return a standardize that takes a spread for 0 unless it is above `smallest`."""
    return _divided_by(lambda X: np.where(X.std(axis=0) > smallest, X.std(axis=0), 1))


def _standardize_by_loop(X):
    Z = np.zeros(X.shape)
    for j in range(X.shape[1]):
        if len(set(X[:, j])) > 1:
            Z[:, j] = (X[:, j] - X[:, j].mean()) / X[:, j].std()
    return Z


def _standardize_cases(rng):
    T, D = _sizes(rng, 2, low=4)
    mean = ("each column has mean 0", lambda Z, X: np.allclose(np.mean(Z, axis=0), 0))
    std = ("each column has standard deviation 1", lambda Z, X: np.allclose(np.std(Z, axis=0), 1))
    units = 10.0 ** rng.integers(-3, 4, size=D)
    constant = rng.normal(size=(T, D))
    constant[:, 1] = 4.0
    return [
        Case(
            "three things and two columns, worked by hand",
            (np.array([[1.0, 20.0], [1.0, 40.0], [4.0, 60.0]]),),
            "the first column has mean 2 and differences -1, -1, 2; its standard deviation is √(6 / 3) = √2.",
            expected=np.array([[-1.0, -1.5], [-1.0, 0.0], [2.0, 1.5]]) / np.sqrt([2.0, 1.5]),
            properties=(mean, std),
        ),
        Case(
            "columns in very different units",
            (rng.normal(size=(T, D)) * units + 5 * units,),
            "each column has a mean and a standard deviation of its own.",
            2,
            properties=(mean, std),
        ),
        Case(
            "a column in a tiny unit, with differences near 0.0000001",
            (rng.normal(size=(T, 2)) * np.array([1e-7, 1.0]),),
            "a small number added to the divisor is not small beside this column.",
            properties=(mean, std),
        ),
        Case(
            "a constant column",
            (constant,),
            "its standard deviation is 0. Divide by 1 there, so that the column becomes zeros.",
            2,
            properties=(mean,),
        ),
        Case(
            "a constant column of 0.1",
            (np.array([[0.1, 1.0], [0.1, 3.0], [0.1, 8.0]]),),
            "three times 0.1 is not exactly 0.3 for a computer, so std gives 0.00000000000000001 and not 0.",
            properties=(mean,),
        ),
    ]


STANDARDIZE = Exercise(
    "01.standardize",
    "Every column with the same say",
    standardize,
    _standardize_cases,
    hints=(
        "Two steps: move every column so that its mean is 0, then stretch it so that its spread is 1.",
        "X.mean(axis=0) is a mean for each column. X.std(axis=0) may hold a 0: what should stand there?",
        "A column is constant where its max is its min. safe = np.where(X.max(axis=0) > X.min(axis=0), "
        "X.std(axis=0), 1), and then (X - X.mean(axis=0)) / safe.",
    ),
    mistakes=(
        Mistake(
            "one_mean_for_the_whole_table",
            lambda X: (X - X.mean()) / X.std(),
            "You took one mean and one spread for the whole table. Each column needs its own: axis=0.",
        ),
        Mistake(
            "along_the_rows",
            _by_row,
            "You standardized each row. A row is one thing; what must be compared is a column: axis=0.",
        ),
        Mistake(
            "n_minus_one",
            _divided_by(lambda X: _safe(X.std(axis=0, ddof=1))),
            "You divided by n - 1 inside the spread (as torch.std does). Here it is n: X.std(axis=0).",
        ),
        Mistake(
            "only_centred",
            lambda X: X - X.mean(axis=0),
            "The means are 0, but the spreads are still different. Divide by the standard deviation.",
        ),
        Mistake(
            "divided_by_the_variance",
            _divided_by(lambda X: _safe(X.var(axis=0))),
            "You divided by the variance. Its square root, the standard deviation, has the unit of the "
            "column.",
        ),
        Mistake(
            "squeezed_between_0_and_1",
            _min_max,
            "That puts every column between 0 and 1, another recipe. Here: mean 0, standard deviation 1.",
        ),
        Mistake(
            "constant_column_divides_by_zero",
            _divided_by(lambda X: X.std(axis=0)),
            "A constant column gives 0 / 0, which is NaN. Divide it by 1 instead.",
        ),
        Mistake(
            "rounding_taken_for_a_spread",
            _divided_by(lambda X: _safe(X.std(axis=0))),
            "Your test for 0 is too exact. The std of a constant column can be a tiny number, by rounding. "
            "Compare the column's max with its min.",
        ),
        Mistake(
            "constant_column_left_alone",
            lambda X: np.where(X.max(axis=0) > X.min(axis=0), standardize(X), X),
            "You left a constant column as it was. Its mean must go, too: it becomes zeros.",
        ),
        Mistake(
            "small_number_added",
            _divided_by(lambda X: X.std(axis=0) + 1e-8),
            "A small number in the divisor avoids 0 / 0, but it changes columns whose unit is small. "
            "Put 1 only where the spread is 0.",
        ),
    ),
    alternatives=(_standardize_by_loop, _above(1e-12)),
    stars=2,
    minutes=10,
)


# 01.one_hot ------------------------------------------------------------------------------------------------


def _one_hot_by_loop(ids, vocab_size):
    rows = np.zeros((len(ids), vocab_size))
    for place, id in enumerate(ids):
        rows[place, id] = 1
    return rows


def _ids_in_place_of_ones(ids, vocab_size):
    return one_hot(ids, vocab_size) * ids[:, None]


def _one_hot_cases(rng):
    T, V = _sizes(rng, 2, low=4, high=12)
    ids = np.append(rng.integers(V - 1, size=T - 2), [0, 0])
    sums = ("each row sums to 1", lambda rows, ids, vocab_size: np.allclose(np.sum(rows, axis=-1), 1))
    back = (
        "the largest entry of each row stands at its id",
        lambda rows, ids, vocab_size: np.array_equal(np.argmax(rows, axis=-1), ids),
    )
    return [
        Case(
            "Black, Brown, Black of four colours, worked by hand",
            (np.array([1, 2, 1]), 4),
            "the 1 of the first row stands in place 1, counted from 0.",
            expected=np.array([[0.0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0]]),
        ),
        Case(
            "a list where the last category never comes, and 0 comes twice",
            (ids, V),
            "the number of columns is vocab_size, whatever the ids are.",
            2,
            properties=(sums, back),
        ),
        Case(
            "every category once",
            (rng.permutation(V), V),
            "each row and each column holds one 1.",
            properties=(sums, back),
        ),
    ]


ONE_HOT = Exercise(
    "01.one_hot",
    "One place for each category",
    one_hot,
    _one_hot_cases,
    hints=(
        "Begin with zeros of shape (T, V). In each row one number must become 1. Which one?",
        "np.eye(vocab_size) is the table of all one-hot vectors, in order. You need some of its rows.",
        "Index it with all ids at once: np.eye(vocab_size)[ids].",
    ),
    mistakes=(
        Mistake(
            "counted_from_one",
            lambda ids, vocab_size: np.eye(vocab_size)[ids - 1],
            "Your 1s stand one place too far to the left. In Python the first place is 0.",
        ),
        Mistake(
            "words_in_columns",
            lambda ids, vocab_size: one_hot(ids, vocab_size).T,
            "Your one-hot vectors stand in columns. In this book one row is one thing: shape (T, V).",
        ),
        Mistake(
            "size_taken_from_the_data",
            lambda ids, vocab_size: np.eye(ids.max() + 1)[ids],
            "You made as many columns as this list needs. Another list would then get another width: "
            "use vocab_size.",
        ),
        Mistake(
            "all_in_one_vector",
            lambda ids, vocab_size: one_hot(ids, vocab_size).sum(axis=0),
            "You put all words into one vector. It counts them, and their order is lost. Give each its own "
            "row.",
        ),
        Mistake(
            "ids_in_place_of_ones",
            _ids_in_place_of_ones,
            "You wrote the id itself into its place. Write a 1: the place says which category it is.",
        ),
    ),
    alternatives=(
        _one_hot_by_loop,
        lambda ids, vocab_size: (ids[:, None] == np.arange(vocab_size)) * 1.0,
    ),
    stars=1,
    minutes=5,
)


# 01.image_to_vector ----------------------------------------------------------------------------------------

_TINY = np.array([[[1, 2, 3], [4, 5, 6]]])  # one row of two pixels
_KEEPS_ALL = ("no number is lost or new", lambda vector, *image: sorted(vector) == sorted(image[0].ravel()))


def _image(rng, channels=3):
    """Return a random image (height, width, channels), all sizes different."""
    height, width = _sizes(rng, 2, low=4, high=9)
    return rng.integers(256, size=(height, width, channels))


def _pixel_by_pixel(image):
    numbers = []
    for row in image:
        for pixel in row:
            numbers.extend(pixel)
    return np.array(numbers)


def _to_vector_cases(rng):
    image = _image(rng)
    look = "read like a page: row by row; and for each pixel its channels, side by side."
    return [
        Case("two pixels, worked by hand", (_TINY.copy(),), look, expected=np.array([1, 2, 3, 4, 5, 6])),
        Case("a colour image", (image,), look, 2, properties=(_KEEPS_ALL,)),
        Case("a grey image, one channel", (_image(rng, 1),), look, properties=(_KEEPS_ALL,)),
        Case(
            "channels moved to the end with transpose: not in one piece in memory",
            (rng.integers(256, size=(3, 5, 4)).transpose(1, 2, 0),),
            "ask for the order that you see when you index, image[r, c, k], not for the order in memory.",
            properties=(_KEEPS_ALL,),
        ),
    ]


IMAGE_TO_VECTOR = Exercise(
    "01.image_to_vector",
    "An image in one line",
    image_to_vector,
    _to_vector_cases,
    hints=(
        "In which order do the numbers come? Row 0 first, pixel 0 first, its red first.",
        "That is the order in which NumPy's reshape reads an array. Which shape has a vector?",
        "reshape(-1) makes one axis, as long as needed.",
    ),
    mistakes=(
        Mistake(
            "channels_first",
            lambda image: image.transpose(2, 0, 1).reshape(-1),
            "You wrote all reds, then all greens, then all blues. Here the numbers of one pixel stay "
            "together.",
        ),
        Mistake(
            "column_by_column",
            lambda image: image.transpose(1, 0, 2).reshape(-1),
            "You read down the columns. Read along the rows, like a page.",
        ),
        Mistake(
            "backwards_order",
            lambda image: image.flatten("F"),
            'Order "F" lets the first axis run fastest. The last one must: leave "F" out.',
        ),
        Mistake(
            "rows_kept_apart",
            lambda image: image.reshape(len(image), -1),
            "Each row of the image is still a row. One vector has one axis: reshape(-1).",
        ),
        Mistake(
            "colours_averaged",
            lambda image: image.mean(axis=2).reshape(-1),
            "You averaged the channels, so nobody can get the colours back. Keep all numbers.",
        ),
        Mistake(
            "order_of_memory",
            lambda image: image.ravel("K"),
            'Order "K" reads as the numbers lie in memory. A transposed image lies differently: leave "K" '
            "out.",
        ),
    ),
    alternatives=(_pixel_by_pixel, lambda image: image.ravel(), lambda image: image.flatten()),
    stars=1,
    minutes=5,
)


# 01.vector_to_image ----------------------------------------------------------------------------------------


def _image_by_loop(vector, height, width):
    channels = len(vector) // (height * width)
    image = np.zeros((height, width, channels))
    for place, number in enumerate(vector):
        pixel, k = divmod(place, channels)
        image[pixel // width, pixel % width, k] = number
    return image


def _to_image_cases(rng):
    round_trip = (
        "made into a vector again, it is the same vector",
        lambda image, vector, height, width: np.array_equal(image_to_vector(image), vector),
    )
    look = "the first numbers are the channels of the first pixel; then comes its neighbour to the right."
    colour, grey, four = _image(rng), _image(rng, 1), _image(rng, 10)
    return [
        Case(
            "one row of two pixels, worked by hand",
            (np.array([1, 2, 3, 4, 5, 6]), 1, 2),
            "the first pixel is (1, 2, 3).",
            expected=_TINY,
        ),
        Case(
            "a colour image", (image_to_vector(colour), *colour.shape[:2]), look, 2, properties=(round_trip,)
        ),
        Case(
            "a grey image, one channel",
            (image_to_vector(grey), *grey.shape[:2]),
            "the number of channels is what remains: len(vector) // (height * width).",
            properties=(round_trip,),
        ),
        Case(
            "ten channels, as a satellite has",
            (image_to_vector(four), *four.shape[:2]),
            "the number of channels is what remains: len(vector) // (height * width).",
            properties=(round_trip,),
        ),
    ]


VECTOR_TO_IMAGE = Exercise(
    "01.vector_to_image",
    "And back",
    vector_to_image,
    _to_image_cases,
    hints=(
        "Undo what you did: the same order, cut into pixels and rows. How many channels are there?",
        "reshape can find one size by itself: write -1 for it.",
        "The shape is (height, width, -1).",
    ),
    mistakes=(
        Mistake(
            "height_and_width_swapped",
            lambda vector, height, width: vector.reshape(width, height, -1),
            "You cut the line into rows of `height` pixels. A row has `width` pixels, and there are "
            "`height` rows.",
        ),
        Mistake(
            "swapped_then_turned",
            lambda vector, height, width: vector.reshape(width, height, -1).transpose(1, 0, 2),
            "The shape is right now, but the rows were cut at the wrong places before you turned it. "
            "Cut into (height, width) at once.",
        ),
        Mistake(
            "channels_first",
            lambda vector, height, width: vector.reshape(-1, height, width),
            "Your channels come first. Here they come last, and the numbers of one pixel are neighbours.",
        ),
        Mistake(
            "colours_read_as_planes",
            lambda vector, height, width: vector.reshape(-1, height, width).transpose(1, 2, 0),
            "You read the line as all reds, then all greens, then all blues. The shape fits, the colours do "
            "not.",
        ),
        Mistake(
            "always_three_channels",
            lambda vector, height, width: vector.reshape(height, width, 3),
            "Not every image has three channels. Let reshape find their number: -1.",
        ),
        Mistake(
            "first_axis_fastest",
            lambda vector, height, width: vector.reshape((height, width, -1), order="F"),
            'Order "F" lets the first axis run fastest. Leave it out: the channel runs fastest.',
        ),
    ),
    alternatives=(
        _image_by_loop,
        lambda vector, height, width: np.stack(np.split(vector.reshape(height, -1), width, axis=1), axis=1),
    ),
    stars=1,
    minutes=5,
)


# 01.onehot_matmul ------------------------------------------------------------------------------------------


def onehot_matmul(E, ids):
    """Return the rows (T, d) of the table E (V, d) that the ids (T) name, by a product with one-hots."""
    return one_hot(ids, len(E)) @ E


def _product_by_loop(E, ids):
    found = np.zeros((len(ids), E.shape[1]))
    for place, id in enumerate(ids):
        for v in range(len(E)):
            found[place] += (v == id) * E[v]
    return found


def _matmul_cases(rng):
    T, V, d = _sizes(rng, 3, low=3, high=9)
    E = rng.normal(size=(V, d))
    look_up = ("it equals the look-up E[ids]", lambda rows, E, ids: np.allclose(rows, E[ids]))
    return [
        Case(
            "the middle row, the first row, the middle row, worked by hand",
            (np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([1, 0, 1, 1])),
            "the one-hot of 1 is (0, 1, 0): it keeps row 1 of the table, (3, 4).",
            expected=np.array([[3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [3.0, 4.0]]),
        ),
        Case(
            "a random table",
            (E, rng.integers(V, size=T)),
            "(T, V) times (V, d) gives (T, d).",
            2,
            properties=(look_up,),
        ),
        Case(
            "the last word, twice",
            (E, np.array([V - 1, V - 1])),
            "the same word has the same row, each time.",
            properties=(look_up,),
        ),
        Case(
            "one word only",
            (E, np.array([0])),
            "one word still gives a table of one row: shape (1, d).",
            properties=(look_up,),
        ),
    ]


ONEHOT_MATMUL = Exercise(
    "01.onehot_matmul",
    "A product that is a look-up",
    onehot_matmul,
    _matmul_cases,
    hints=(
        "Make the one-hot vectors of the ids first. How many places does each need?",
        "The table has len(E) rows, so each one-hot has len(E) places. Then (T, V) meets (V, d).",
        "one_hot(ids, len(E)) @ E.",
    ),
    mistakes=(
        Mistake(
            "counted_from_one",
            lambda E, ids: E[ids - 1],
            "You took the row above the right one. The ids count from 0.",
        ),
        Mistake(
            "words_added_up",
            lambda E, ids: one_hot(ids, len(E)).sum(axis=0) @ E,
            "You added all words up. Each word keeps a row of its own: no sum.",
        ),
        Mistake(
            "each_word_once",
            lambda E, ids: E[np.unique(ids)],
            "You gave each different word once, in order. A word that comes twice must come twice, in its "
            "place.",
        ),
        Mistake(
            "one_hots_returned",
            lambda E, ids: one_hot(ids, len(E)),
            "Those are the one-hot vectors. Multiply them by the table: (T, V) @ (V, d).",
        ),
        Mistake(
            "words_in_columns",
            lambda E, ids: E.T @ one_hot(ids, len(E)).T,
            "The right vectors, but in columns. Rows are words: put the one-hots on the left.",
        ),
    ),
    alternatives=(_product_by_loop, lambda E, ids: E[ids], lambda E, ids: np.take(E, ids, axis=0)),
    stars=2,
    minutes=10,
)


# 01.r_squared ----------------------------------------------------------------------------------------------


def _squared_correlation(y, predictions):
    if np.ptp(predictions) == 0:
        return 0.0
    return np.corrcoef(y, predictions)[0, 1] ** 2


def _r_squared_by_means(y, predictions):
    return 1 - np.mean((y - predictions) ** 2) / np.var(y)


def _r_squared_cases(rng):
    T = int(rng.integers(6, 12))
    y = 2 + rng.normal(size=T)
    at_most = ("R² is at most 1", lambda score, y, predictions: score <= 1 + 1e-12)
    return [
        Case(
            "four numbers, worked by hand",
            (np.array([1.0, 3.0, 5.0, 7.0]), np.array([1.0, 4.0, 4.0, 7.0])),
            "the mean is 4 and the spread 9 + 1 + 1 + 9 = 20. The squared errors are 0 + 1 + 1 + 0 = 2.",
            expected=0.9,
        ),
        Case(
            "random predictions near y",
            (y, y + 0.3 * rng.normal(size=T)),
            "compare the squared errors with the squared distances of y from its own mean.",
            2,
            properties=(at_most,),
        ),
        Case(
            "always the mean",
            (y, np.full(T, y.mean())),
            "whoever always says the mean explains nothing: 0.",
            expected=0.0,
        ),
        Case(
            "every prediction twice as far from the mean as y is",
            (y, 2 * y - y.mean()),
            "each error is as large as the distance of y from its mean: 0.",
            expected=0.0,
        ),
        Case(
            "every prediction 5 too high",
            (y, y + 5),
            "the differences are right, the numbers are not. R² is far below 0.",
            2,
            properties=(at_most,),
        ),
    ]


R_SQUARED = Exercise(
    "01.r_squared",
    "How much is explained?",
    r_squared,
    _r_squared_cases,
    hints=(
        "Two sums of squares: how far the predictions miss y, and how far the mean of y misses y.",
        "errors = ((y - predictions) ** 2).sum(), spread = ((y - y.mean()) ** 2).sum(). Perfect must give 1.",
        "return 1 - errors / spread.",
    ),
    mistakes=(
        Mistake(
            "squared_correlation",
            _squared_correlation,
            "That is the squared correlation. It forgives predictions that are all too high or too steep; "
            "R² does not.",
        ),
        Mistake(
            "share_not_explained",
            lambda y, predictions: 1 - r_squared(y, predictions),
            "That is the share that is left over. Subtract it from 1.",
        ),
        Mistake(
            "spread_of_the_predictions",
            lambda y, predictions: 1 - np.sum((y - predictions) ** 2) / np.sum((predictions - y.mean()) ** 2),
            "You divided by the spread of the predictions. What must be explained is the spread of y.",
        ),
        Mistake(
            "spread_around_zero",
            lambda y, predictions: 1 - np.sum((y - predictions) ** 2) / np.sum(y**2),
            "You compared with always saying 0. Compare with always saying the mean of y.",
        ),
        Mistake(
            "errors_not_squared",
            lambda y, predictions: 1 - np.abs(y - predictions).sum() / np.abs(y - y.mean()).sum(),
            "You added absolute errors. R² adds squares, above and below.",
        ),
        Mistake(
            "constant_error_forgiven",
            lambda y, predictions: 1 - np.var(y - predictions) / np.var(y),
            "np.var subtracts the mean of the errors first, so a constant error costs nothing. It must cost.",
        ),
        Mistake(
            "mean_squared_error",
            lambda y, predictions: np.mean((y - predictions) ** 2),
            "That is the mean squared error, which has a unit. Divide by the spread of y, and subtract from "
            "1.",
        ),
    ),
    alternatives=(_r_squared_by_means,),
    stars=2,
    minutes=10,
)


# 01.ordinal_distance ---------------------------------------------------------------------------------------


def _tables(codes):
    """Return the distances between the codes (V, V), and between the one-hots (V, V)."""
    return np.abs(codes[:, None] - codes[None]), np.sqrt(2) * (1 - np.eye(len(codes)))


def _unequal(distances):
    """Return how many comparisons of two distances find one of them smaller."""
    return int(sum(one < other for one in distances for other in distances))


def ordinal_distance(codes):
    """Return the distances of the codes (V, V), of their one-hots (V, V), and the number of claims."""
    by_code, by_one_hot = _tables(codes)
    return by_code, by_one_hot, _unequal(by_code[np.triu_indices(len(codes), 1)])


def _wrong_count(count):
    """Return an ordinal_distance with right tables and another count."""
    return lambda codes: (*_tables(codes), count(_tables(codes)[0]))


def _pairs(by_code):
    return by_code[np.triu_indices(len(by_code), 1)]


def _shared(by_code):
    pairs = list(combinations(range(len(by_code)), 2))
    return sum(by_code[p] != by_code[q] and bool({*p} & {*q}) for p, q in combinations(pairs, 2))


def _in_lists(codes):
    by_code, by_one_hot, claims = ordinal_distance(codes)
    return [by_code.tolist(), by_one_hot.tolist(), claims]


def _ordinal_by_loop(codes):
    V = len(codes)
    by_code, by_one_hot, pairs = np.zeros((V, V)), np.zeros((V, V)), []
    for i in range(V):
        for j in range(V):
            by_code[i, j] = abs(codes[i] - codes[j])
            by_one_hot[i, j] = np.linalg.norm(np.eye(V)[i] - np.eye(V)[j])
            if i < j:
                pairs.append(by_code[i, j])
    invented = 0
    for place, one in enumerate(pairs):
        invented += sum(one != other for other in pairs[:place])
    return by_code, by_one_hot, invented


def _with_the_codes_as_places(codes):
    vectors = np.eye(max(codes) + 1)[codes]
    by_one_hot = np.linalg.norm(vectors[:, None] - vectors[None], axis=-1)
    return np.abs(np.subtract.outer(codes, codes)), by_one_hot, ordinal_distance(codes)[2]


def _ordinal_cases(rng):
    sqrt_2 = (
        "two different one-hots are √2 apart",
        lambda found, codes: np.allclose(np.asarray(found[1])[~np.eye(len(codes), dtype=bool)], np.sqrt(2)),
    )
    symmetric = (
        "both tables are symmetric",
        lambda found, codes: all(np.allclose(t, np.transpose(t)) for t in found[:2]),
    )
    far = np.sqrt(2)
    by_hand = [
        np.array([[0, 1, 3], [1, 0, 2], [3, 2, 0]]),
        np.array([[0, far, far], [far, 0, far], [far, far, 0]]),
        3,
    ]
    return [
        Case(
            "three categories with the codes 0, 1 and 3, worked by hand",
            (np.array([0, 1, 3]),),
            "the three pairs are 1, 3 and 2 apart: 1 < 3, 1 < 2 and 2 < 3 are three claims.",
            expected=by_hand,
            properties=(symmetric, sqrt_2),
        ),
        Case(
            "the four hair colours: 0, 1, 2, 3",
            (np.arange(4),),
            "six pairs: 1, 1, 1, 2, 2 and 3 apart. Fifteen comparisons, and four of them find no difference.",
            properties=(symmetric, sqrt_2),
        ),
        Case(
            "five random codes",
            (rng.permutation(12)[:5],),
            "each pair of categories counts once, and so does each comparison of two pairs.",
            2,
            properties=(symmetric, sqrt_2),
        ),
        Case(
            "two categories: one pair, and nothing to compare it with",
            (np.array([7, 2]),),
            "one distance alone claims nothing.",
            properties=(symmetric, sqrt_2),
        ),
    ]


ORDINAL_DISTANCE = Exercise(
    "01.ordinal_distance",
    "What a code claims",
    ordinal_distance,
    _ordinal_cases,
    hints=(
        "codes[:, None] - codes[None] holds all differences at once, (V, V). A distance has no sign.",
        "np.eye(V) holds the one-hots. Two of them differ by 1 in two places: √(1 + 1). The diagonal is 0.",
        "np.triu_indices(V, 1) names each pair once. Count how often one distance is smaller than another, "
        "over all ordered pairs of distances: each unequal comparison is found exactly once.",
    ),
    mistakes=(
        Mistake(
            "sign_kept",
            lambda codes: (codes[:, None] - codes[None], *ordinal_distance(codes)[1:]),
            "Your distances between codes have a sign. From a to b is as far as from b to a: take np.abs.",
        ),
        Mistake(
            "root_forgotten",
            lambda codes: (_tables(codes)[0], _tables(codes)[1] ** 2, ordinal_distance(codes)[2]),
            "Your one-hots are 2 apart. That is the squared distance (or the sum of the differences): take "
            "the root.",
        ),
        Mistake(
            "one_place_counted",
            lambda codes: (_tables(codes)[0], 1 - np.eye(len(codes)), ordinal_distance(codes)[2]),
            "Your one-hots are 1 apart. Two of them differ in two places, not in one: √(1 + 1).",
        ),
        Mistake(
            "diagonal_not_zero",
            lambda codes: (
                _tables(codes)[0],
                np.full((len(codes), len(codes)), np.sqrt(2)),
                ordinal_distance(codes)[2],
            ),
            "A category is √2 away from itself in your table. The distance to itself is 0.",
        ),
        Mistake(
            "every_comparison_twice",
            _wrong_count(lambda by_code: 2 * _unequal(_pairs(by_code))),
            "You counted each comparison twice: a < b and b > a are one claim.",
        ),
        Mistake(
            "every_pair_twice",
            _wrong_count(lambda by_code: _unequal(by_code[~np.eye(len(by_code), dtype=bool)])),
            "You took each pair of categories twice, (i, j) and (j, i). Use the part above the diagonal.",
        ),
        Mistake(
            "only_pairs_that_share_a_category",
            _wrong_count(_shared),
            "You compared only pairs that share a category. A claim can be about four different ones: a and "
            "b are nearer together than c and d.",
        ),
        Mistake(
            "all_comparisons",
            _wrong_count(lambda by_code: len(_pairs(by_code)) * (len(_pairs(by_code)) - 1) // 2),
            "You counted all comparisons. Where two pairs are equally far apart, the code claims nothing.",
        ),
        Mistake(
            "different_distances_counted",
            _wrong_count(lambda by_code: len(np.unique(_pairs(by_code)))),
            "You counted how many different distances there are. Count the comparisons of two pairs.",
        ),
    ),
    alternatives=(_ordinal_by_loop, _with_the_codes_as_places, _in_lists),
    stars=3,
    minutes=20,
)


SHEET = Sheet(
    "01",
    "Vectorization",
    (
        ONE_HOT,
        IMAGE_TO_VECTOR,
        VECTOR_TO_IMAGE,
        STANDARDIZE,
        ONEHOT_MATMUL,
        R_SQUARED,
        ORDINAL_DISTANCE,
    ),
)
