//! Texts that want to be more than text.

use crate::report::chart::spec::{Barcode, Body, Cell, Chart, Dumbbell, Event, Level, Pareto, Stroke, Timeline, Unit};
use crate::report::chart::tests::{at, lines, pair, series};
use crate::report::chart::{Frame, Theme, png, svg};
use proptest::prelude::*;

fn charts(text: &str) -> Vec<Chart> {
    let t = || text.to_owned();
    let mut curve = lines(Unit::Count, Unit::Usd, vec![series(text, Stroke::Solid, vec![(1.0, 2.0), (2.0, 3.0)])]);
    (curve.x.label, curve.y.label) = (t(), t());
    curve.levels.push(Level { name: t(), y: 2.5 });
    curve.levels.push(Level { name: t(), y: 2e9 });
    curve.events.push(Event { name: t(), x: 1.5 });
    let timeline = Timeline {
        from: at(0),
        to: at(100),
        iterations: vec![(1, at(0), at(50), Cell::Red(3))],
        beats: vec![at(3)],
        gaps: vec![(t(), at(20), at(90))],
        marks: vec![(t(), at(50))],
    };
    let bodies = [
        Body::Lines(curve),
        Body::Timeline(timeline),
        Body::Barcode(Barcode { rows: vec![(t(), t(), vec![Cell::Red(0), Cell::Red(0), Cell::Green])], failures: vec![t()] }),
        Body::Pareto(Pareto { unit: Unit::Usd, bars: vec![(t(), 2.0, 1)] }),
        Body::Dumbbell(Dumbbell { before: t(), after: t(), rows: vec![pair(text, Unit::Usd, 1.0, 2.0, None)] }),
    ];
    bodies.into_iter().map(|body| Chart { id: t(), title: t(), description: t(), body }).collect()
}

/// Nothing but shapes and texts, and attributes that cannot act.
fn is_inert(text: &str) {
    let document = roxmltree::Document::parse(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let name = node.tag_name().name();
        assert!(["svg", "title", "desc", "rect", "circle", "polygon", "polyline", "text"].contains(&name), "<{name}>");
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(!name.starts_with("on") && !["href", "style"].contains(&name) && !value.contains("url("), "{name}={value}");
        }
    }
    let bad =
        |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}');
    assert!(!text.chars().any(bad), "{text:?}");
}

#[test]
fn known_tricks_stay_text() {
    for text in [
        "<script>alert(1)</script>",
        "\"/><image href=x onerror=alert(1)>",
        "]]></title><svg onload='x'>",
        "&lt;&#0;&bogus;<!--",
        "\u{1b}[31mred\u{1b}]0;title\u{7}",
        "\u{202e}gnp.exe\u{2066}",
        "\u{0}\u{8}\u{b}\u{fffe}\u{ffff}\u{feff}",
        "::error file=x::y\r\n\t",
        "日本語 العربية 👩\u{200d}💻 \u{10ffff}",
        "",
    ] {
        for chart in charts(text) {
            for theme in [Theme::Light, Theme::Dark, Theme::Page] {
                is_inert(&svg(&chart, &Frame { width: 400, theme }));
            }
        }
    }
    for chart in charts("日本語 \u{1b}[31m \u{10ffff}\u{0}").into_iter().take(2) {
        png(&chart, &Frame { width: 320, theme: Theme::Light }).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_xml(text in "\\PC{0,40}|.{0,40}|(\\p{Cc}|[<>&\"']){0,20}") {
        for chart in charts(&text) {
            is_inert(&svg(&chart, &Frame { width: 500, theme: Theme::Page }));
        }
    }

    #[test]
    fn any_numbers_can_be_drawn(points in proptest::collection::vec((any::<f64>(), any::<f64>()), 0..30), width in 0_u32..2_000) {
        for unit in [Unit::Count, Unit::Usd, Unit::Tokens, Unit::Seconds, Unit::Share, Unit::Ratio] {
            let mut body = lines(unit, unit, vec![series("s", Stroke::Steps, points.clone())]);
            body.levels = points.iter().take(2).map(|p| Level { name: "l".to_owned(), y: p.1 }).collect();
            body.events = points.iter().take(2).map(|p| Event { name: "e".to_owned(), x: p.0 }).collect();
            let bars = points.iter().map(|p| ("b".to_owned(), p.0, 1)).collect();
            let rows = points.iter().map(|p| pair("r", unit, p.0, p.1, Some(*p))).collect();
            for body in [Body::Lines(body), Body::Pareto(Pareto { unit, bars }), Body::Dumbbell(Dumbbell { before: "a".to_owned(), after: "b".to_owned(), rows })] {
                let chart = Chart { id: "x".to_owned(), title: "t".to_owned(), description: "d".to_owned(), body };
                let text = svg(&chart, &Frame { width, theme: Theme::Light });
                is_inert(&text);
                prop_assert!(!text.contains("NaN") && !text.contains("inf\""), "{}", text);
            }
        }
    }

    #[test]
    fn any_times_can_be_drawn(times in proptest::collection::vec(any::<i64>(), 6), number in any::<u32>()) {
        let t = |k: usize| crate::trace::Time(times[k]);
        let body = Timeline {
            from: t(0),
            to: t(1),
            iterations: vec![(number, t(2), t(3), Cell::Red(number))],
            beats: vec![t(4)],
            gaps: vec![("log".to_owned(), t(2), t(5))],
            marks: vec![("m".to_owned(), t(3))],
        };
        let chart = Chart { id: "x".to_owned(), title: "t".to_owned(), description: "d".to_owned(), body: Body::Timeline(body) };
        is_inert(&svg(&chart, &Frame::default()));
    }
}
