//! Runs of the same kind.
