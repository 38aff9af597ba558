//! What a manual run costs an iteration, for the ceiling.

use crate::cost::baseline::{Baseline, BaselineError};
use crate::trace::Money;
use std::path::Path;

/// What a baseline says about the cost of an iteration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manual {
    /// The file, as it was given.
    pub path: String,
    /// What an iteration costs; `None` where no run says both its cost and its iterations.
    pub per_iteration: Option<Money>,
}

impl Manual {
    /// Reads it from a baseline file.
    ///
    /// # Errors
    /// The baseline's.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let per_iteration = Baseline::read(path)?.cost_per_iteration();
        Ok(Self { path: path.display().to_string(), per_iteration })
    }
}
