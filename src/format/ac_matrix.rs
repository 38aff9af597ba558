//! The acceptance matrix: `ac-matrix.json`, and snapshots of it with a number in the name.

use crate::format::{Format, Role, Sniff, has_ending, whole};
use crate::input::Lines;
use crate::trace::governance::{ItemStatus, Scope, ScopeItem};
use crate::trace::{Builder, FaultKind};
use serde_json::Value;
use std::io;

pub(super) struct AcMatrix;

impl Format for AcMatrix {
    fn id(&self) -> &'static str {
        "ac-matrix"
    }

    fn about(&self) -> &'static str {
        "ac-matrix*.json: project and items with id, category, description and status; numbered copies are snapshots"
    }

    fn role(&self) -> Role {
        Role::Companion
    }

    fn by_name(&self, name: &str) -> Sniff {
        if is_matrix(name) { Sniff::Yes } else { Sniff::No }
    }

    fn sniff(&self, head: &[u8]) -> Sniff {
        let has = |key: &[u8]| memchr::memmem::find(head, key).is_some();
        let statuses = has(b"\"PENDING\"") || has(b"\"IN_PROGRESS\"") || has(b"\"DONE\"") || has(b"\"BLOCKED\"");
        let object = head.trim_ascii_start().first() == Some(&b'{');
        if object && has(b"\"items\"") && has(b"\"description\"") && statuses { Sniff::Yes } else { Sniff::No }
    }

    fn decode(&self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
        let Some((value, bytes, place)) = whole::object(lines, out)? else { return Ok(()) };
        let (name, modified) = out.source().map(|s| (s.shown.to_string(), s.modified)).unwrap_or_default();
        let name = name.rsplit(['/', '\\']).next().unwrap_or("");
        match items(&value) {
            Some(items) => {
                let line = super::loop_state::line_of(&bytes, "items");
                let place = crate::trace::Place { line, offset: super::loop_state::offset_of(&bytes, line), ..place };
                let first = ["orig", "bak", "start", "initial", "baseline", "before", "frozen"].iter().any(|w| name.contains(w));
                let number = whole::number_in(name).or(first.then_some(0));
                out.scope(Scope { items, at: modified.filter(|_| number.is_none()), number, step: None, place });
            }
            None => {
                let ledger = out.ledger();
                ledger.unknown += 1;
                ledger.fault(FaultKind::NoRecord, place);
            }
        }
        Ok(())
    }
}

/// Whether a file's name is that of an acceptance matrix or of a snapshot of one.
#[must_use]
pub(crate) fn is_matrix(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let named = ["ac-matrix", "ac_matrix"].iter().any(|w| lower.trim_start_matches('.').starts_with(w));
    named && has_ending(name, &["json", "bak", "orig"])
}

/// The items of a matrix; `None` where it is none.
#[must_use]
pub(crate) fn items(value: &Value) -> Option<Vec<ScopeItem>> {
    let list = value.get("items")?.as_array()?;
    Some(list.iter().filter_map(item).collect())
}

/// The items in a piece of a matrix: every object that stands whole in it.
#[must_use]
pub(crate) fn items_in(piece: &str) -> Vec<ScopeItem> {
    let mut found = Vec::new();
    let mut rest = piece;
    while let Some(at) = rest.find('{') {
        rest = &rest[at..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                let read = values.byte_offset();
                found.extend(items(&value).unwrap_or_else(|| item(&value).into_iter().collect()));
                rest = &rest[read..];
            }
            _ => rest = &rest[1..],
        }
    }
    found
}

/// One item.
#[must_use]
pub(crate) fn item(value: &Value) -> Option<ScopeItem> {
    let text = |key: &str| match value.get(key) {
        Some(Value::String(s)) => Some(s.clone()),
        Some(Value::Number(n)) => Some(n.to_string()),
        _ => None,
    };
    let status = match text("status").unwrap_or_default().to_ascii_uppercase().replace(['-', ' '], "_").as_str() {
        "DONE" | "PASS" | "PASSED" | "COMPLETE" | "COMPLETED" => ItemStatus::Done,
        "IN_PROGRESS" => ItemStatus::InProgress,
        "BLOCKED" => ItemStatus::Blocked,
        _ => ItemStatus::Pending,
    };
    Some(ScopeItem { id: text("id")?.into(), description: text("description").unwrap_or_default().into(), status })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_whatever_the_type_of_their_id() {
        let matrix = serde_json::json!({"project": "x", "items": [
            {"id": 1, "category": "a", "description": "d", "status": "in-progress"},
            {"id": "AC-2", "description": "e", "status": "DONE"}, {"description": "no id"}]});
        let items = items(&matrix).unwrap();
        assert_eq!(
            items.iter().map(|i| (&*i.id, i.status)).collect::<Vec<_>>(),
            [("1", ItemStatus::InProgress), ("AC-2", ItemStatus::Done)]
        );
        assert_eq!(items_in(r#"{"id":"a","description":"x","status":"DONE"}, {"id":"b""#).len(), 1);
        assert!(super::items(&serde_json::json!({"items": 3})).is_none());
        assert!(is_matrix("ac-matrix.2.json") && is_matrix(".ac_matrix.json") && !is_matrix("matrix.json"));
    }
}
