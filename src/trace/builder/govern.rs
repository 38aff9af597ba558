//! What governs a run: gates, permissions, reviews, hypotheses; calls paid twice; records out of their turn.

use super::part::Part;
use super::{Builder, head, index, tools};
use crate::format::json::hash;
use crate::trace::event::{MarkKind, Usage, What};
use crate::trace::governance::{ContextFile, Decision, Found, Gate, Hypothesis, Notes, Permission, Rebilled, Review, Scope};
use crate::trace::rows::{Mark, StepKind};
use crate::trace::{Place, Time, tool};

impl Builder {
    /// The id under which the next model call is billed, where the log names it.
    pub fn pays(&mut self, id: &str) {
        self.paying = Some(hash(id.as_bytes()));
    }

    /// A snapshot of the acceptance matrix.
    pub fn scope(&mut self, scope: Scope) {
        self.scopes.push(scope);
    }

    /// What an iteration was told.
    pub fn context_file(&mut self, file: ContextFile) {
        self.contexts.push(file);
    }

    /// What a status file says to people.
    pub fn notes(&mut self, notes: Notes) {
        self.notes.push(notes);
    }
}

impl Part {
    /// Rows of gates, permissions, reviews and hypotheses; each is a mark on the timeline too.
    pub(super) fn govern(&mut self, step: u32, iteration: usize, what: What<'_>) -> StepKind {
        let mut mark = Mark { kind: MarkKind::Other, step, text: "".into(), decision: None, by: None, exit_code: None };
        match what {
            What::Gate { name, passed, score, attempt, text } => {
                let row = &mut self.trace.iterations[iteration];
                if let Some(score) = score {
                    row.score = Some(row.score.map_or(score, |s| s.max(score)));
                }
                mark.kind = MarkKind::Gate;
                mark.text = head(if text.is_empty() { &name } else { &text });
                mark.decision = passed.map(|p| if p { "pass" } else { "fail" }.into());
                let name = self.trace.names.intern(&name);
                self.trace.gates.push(Gate { name, passed, score, attempt, step });
            }
            What::Permission { id, tool, args, decision, by, text } => {
                let command = serde_json::from_str(&args).ok().and_then(|v| tool::command(&v)).unwrap_or_default();
                let said = format!("{text} {}", decision.as_deref().unwrap_or(""));
                let lasting = ["always", "for the session", "for this session", "don't ask again", "policy"]
                    .iter()
                    .any(|w| said.to_lowercase().contains(w));
                if let Some(decided) = decision.as_deref().and_then(Decision::of) {
                    let tool = self.trace.names.intern(&tool);
                    let id = id.map(|id| hash(id.as_bytes()));
                    let target = tools::target(&command, &args);
                    let by = by.as_deref().map(head);
                    self.trace.permissions.push(Permission { id, tool, target, decision: decided, by, lasting, step });
                }
                mark.kind = MarkKind::Permission;
                mark.text = head(if text.is_empty() { &tool } else { &text });
                mark.decision = decision.map(|d| head(&d));
                mark.by = by.map(|b| head(&b));
            }
            What::Review { passed, model, author, text } => {
                mark.kind = MarkKind::Review;
                mark.text = head(&text);
                mark.decision = passed.map(|p| if p { "pass" } else { "fail" }.into());
                mark.by = model.as_deref().map(head);
                let name = |n: Option<std::borrow::Cow<'_, str>>, names: &mut crate::trace::Names| {
                    n.filter(|n| !n.is_empty()).map(|n| names.intern(&n))
                };
                let (model, author) = (name(model, &mut self.trace.names), name(author, &mut self.trace.names));
                self.trace.reviews.push(Review { passed, model, author, step });
            }
            What::Hypothesis { what, finding } => {
                let found = match finding.as_deref() {
                    Some("supported" | "confirmed") => Some(Found::Supported),
                    Some("refuted" | "rejected") => Some(Found::Refuted),
                    Some(_) => Some(Found::Unknown),
                    None => None,
                };
                mark.kind = MarkKind::Hypothesis;
                mark.text = head(&what);
                mark.decision = finding.map(|f| head(&f));
                self.trace.iterations[iteration].decided |= matches!(found, Some(Found::Supported | Found::Refuted));
                self.trace.hypotheses.push(Hypothesis { text: head(&what), found, step });
            }
            _ => {}
        }
        self.trace.marks.push(mark);
        StepKind::Mark(index(self.trace.marks.len() - 1))
    }

    /// Notes a record whose iteration was left before. Two writers within seconds of each other are only out of order.
    pub(super) fn note_turn_back(&mut self, iter: Option<u32>, at: Option<Time>, what: &What<'_>, place: Place) {
        let starts = matches!(what, What::IterStart | What::Mark { kind: MarkKind::Resume, .. } | What::End { .. });
        let Some((last, n)) = self.trace.iterations.last().map(|i| i.number).zip(iter).filter(|(last, n)| n < last && !starts) else {
            return;
        };
        let before = self.trace.steps.iter().rev().find_map(|s| s.at);
        let late = at.zip(before).is_none_or(|(now, before)| now.seconds_since(before).abs() > 2.0);
        // After a resume the count goes on from an earlier iteration.
        let resumed = self.trace.marks.iter().rev().take(4).any(|m| m.kind == MarkKind::Resume);
        if late && !resumed && last > n {
            let (count, first) = self.trace.turns_back.unwrap_or((0, place));
            self.trace.turns_back = Some((count + 1, first));
        }
    }

    /// Notes a model call whose id was paid for before a resume: the resume or replay pays again.
    pub(super) fn note_paid(&mut self, what: &What<'_>, usage: Option<&Usage<'_>>) {
        let Some(id) = self.paying.take().filter(|_| matches!(what, What::ModelCall { .. })) else { return };
        let Some(usage) = usage.filter(|u| u.reported.is_some_and(|m| m.0 > 0) || u.tokens.total().is_some_and(|t| t > 0)) else { return };
        let step = index(self.trace.steps.len());
        match self.paid.get(&id) {
            Some(first) => self.trace.rebilled.push(Rebilled { first: *first, again: step, reported: usage.reported }),
            None => {
                self.paid.insert(id, step);
            }
        }
    }
}
