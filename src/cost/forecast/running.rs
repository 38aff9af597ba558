//! A run under way.
