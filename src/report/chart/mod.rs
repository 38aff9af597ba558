//! Charts: [`spec`] says what is shown.

pub mod spec;
