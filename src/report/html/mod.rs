//! The weekly report as one HTML file: no request leaves it, it reads without scripts and styles, and what a log says
//! cannot become part of it. [`maud`] escapes all text; a Content-Security-Policy by hashes stands behind that.

mod compare;
mod first;
mod notes;
mod page;
mod run;
mod runs;
mod strip;

pub use page::{Page, render};
