"""Layer 2: the subjects of `clearhead.maths` as PyTorch functions and modules, now learning."""
