"""The accounts of gradient buffers: which backward passes each holds, and what became of them."""
