"""Hardware: how a node's GPUs share a model, what fits on them, and the engines that run there."""
