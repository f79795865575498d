"""What exercises of this sheet share."""

import numpy as np

from clearhead.maths.softmax import softmax


def attended(Q, K, V, scale=np.sqrt):
    return softmax(Q @ K.T / scale(Q.shape[1])) @ V
