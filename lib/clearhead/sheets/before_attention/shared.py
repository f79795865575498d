"""Random inputs for the cases of several exercises of this sheet."""

KINDS = ("fully connected", "convolution", "recurrent", "attention")
