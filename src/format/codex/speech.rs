//! What the agent says, held back until it shows whether its turn ended with it.

use super::record::{event, mark};
use crate::trace::event::{Event, MarkKind, Usage, What};
use crate::trace::{Builder, Place, Time};
use std::borrow::Cow;

/// Events on their way to the builder, in the order of the file.
#[derive(Default)]
pub(super) struct Speech {
    /// A message of which it is open whether work follows.
    held: Option<(String, Place, Option<Time>)>,
    /// What came after it and does not decide that.
    after: Vec<Event<'static>>,
}

impl Speech {
    /// The agent says something. `ends` where the record itself tells whether its turn ends with it.
    pub(super) fn say(&mut self, said: Cow<'_, str>, ends: Option<bool>, place: Place, at: Option<Time>, out: &mut Builder) {
        self.settle(false, out);
        if said.trim().is_empty() {
            return;
        }
        match ends {
            Some(ends) => out.event(event(place, at, What::Said { text: said, ends })),
            None => self.held = Some((said.into_owned(), place, at)),
        }
    }

    /// Anything else happens.
    pub(super) fn emit(&mut self, event: Event<'_>, out: &mut Builder) {
        if self.held.is_none() {
            out.event(event);
            return;
        }
        if waits(&event.what) {
            self.after.push(lasting(event));
        } else {
            self.settle(matches!(event.what, What::End { .. }), out);
            out.event(event);
        }
    }

    /// The held message ended its turn, or it did not.
    pub(super) fn settle(&mut self, ends: bool, out: &mut Builder) {
        let Some((said, place, at)) = self.held.take() else { return };
        out.event(event(place, at, What::Said { text: said.into(), ends }));
        self.after.drain(..).for_each(|event| out.event(event));
    }
}

/// Whether an event leaves it open if work follows.
fn waits(what: &What<'_>) -> bool {
    use MarkKind::{Compact, Other, Resume, Retry, SubagentStart, SubagentStop};
    match what {
        What::ModelCall { .. } => true,
        What::Mark { kind, .. } => matches!(kind, Other | Compact | Resume | Retry | SubagentStart | SubagentStop),
        _ => false,
    }
}

/// An event that waits, in a form that outlives its line.
fn lasting(event: Event<'_>) -> Event<'static> {
    let Event { at, iter, line, offset, revision, files_changed, usage, what, run: _ } = event;
    let what = match what {
        What::ModelCall { ok, exit_code, text, key, side } => What::ModelCall { ok, exit_code, text: text.into_owned().into(), key, side },
        What::Mark { kind, text, .. } => mark(kind, text.into_owned()),
        _ => mark(MarkKind::Other, ""),
    };
    let usage = usage.map(|u| Usage { model: u.model.map(|m| Cow::Owned(m.into_owned())), ..u });
    Event { at, iter, line, offset, revision, files_changed, usage, what, run: None }
}
