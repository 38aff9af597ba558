//! What is decided when all sources of a group are read.

use super::threads::Sessions;
use super::{Builder, once, order, session};
use crate::trace::rows::StepKind;
use crate::trace::{Ledger, Place, Time, Trace};

impl Builder {
    /// The traces, in the order of their beginnings in the log.
    #[must_use]
    pub fn finish(mut self) -> Vec<Trace> {
        self.fold_strays();
        let parts = std::mem::take(&mut self.parts);
        let mut sessions = vec![Sessions::default(); self.done.len()];
        for (k, part) in parts.into_iter().enumerate() {
            let mut trace = part.trace;
            trace.workspace = part.scene.workspace;
            trace.sources = self.sources.clone();
            if k > 0 {
                // A log shared by several runs: its lines are accounted for once, with the first.
                trace.sources.iter_mut().for_each(|s| s.ledger = Ledger::default());
            }
            self.done.push(trace);
            sessions.push(part.sessions);
        }
        let mut traces = std::mem::take(&mut self.done);
        for (trace, sessions) in traces.iter_mut().zip(&sessions) {
            order::by_time(trace, sessions);
            once::count(trace);
            session::settle(trace);
        }
        self.hand_out_companions(&mut traces);
        for trace in &mut traces {
            trace.beats.sort_by_key(|b| (b.at, b.place));
        }
        traces
    }

    /// A few records that name another run do not make a run: they are shown as strays of the run they stand in.
    fn fold_strays(&mut self) {
        let most = self.parts.iter().map(|p| p.trace.steps.len()).max().unwrap_or(0);
        let Some(main) = self.parts.iter().position(|p| p.trace.steps.len() == most) else { return };
        let mut strays: Option<(u32, Place)> = None;
        let mut kept = Vec::new();
        for (k, part) in std::mem::take(&mut self.parts).into_iter().enumerate() {
            let steps = &part.trace.steps;
            let a_run = steps.iter().any(|s| s.kind == StepKind::IterStart) || steps.len() * 5 >= most;
            if k == main || a_run && !steps.is_empty() {
                kept.push(part);
            } else if let Some(first) = steps.first() {
                let count = u32::try_from(steps.len()).unwrap_or(u32::MAX);
                strays = Some(strays.map_or((count, first.place), |(n, p)| (n + count, p)));
            }
        }
        if let Some(first) = kept.first_mut() {
            first.trace.strays = strays;
        }
        self.parts = kept;
    }

    /// Beats go to the execution during which they fall, state and budget to the last one and to all.
    fn hand_out_companions(&mut self, traces: &mut [Trace]) {
        let starts: Vec<Option<Time>> = traces.iter().map(Trace::started).collect();
        for beat in std::mem::take(&mut self.beats) {
            let owner = match beat.at {
                Some(at) => starts.iter().rposition(|s| s.is_some_and(|s| s <= at)).unwrap_or(0),
                None => traces.len().saturating_sub(1),
            };
            if let Some(trace) = traces.get_mut(owner) {
                trace.beats.push(beat);
            }
        }
        if let Some(last) = traces.last_mut() {
            last.states = std::mem::take(&mut self.states);
            last.scopes.append(&mut self.scopes);
            last.contexts.append(&mut self.contexts);
            last.notes.append(&mut self.notes);
        }
        for trace in traces {
            trace.budget = self.budget.clone();
        }
    }
}
