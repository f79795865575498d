"""What the cases of several exercises of this sheet are made of."""

KINDS = ("fully connected", "convolution", "recurrent", "attention")
