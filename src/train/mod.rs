//! Self-play and training, with cargo feature `train`: games of the engine against itself become a network.
