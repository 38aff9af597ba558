//! Places of what is drawn, worked out by hand.

use crate::report::chart::spec::{Body, Cell, Dumbbell, Pareto, Stroke, Timeline, Unit};
use crate::report::chart::tests::{at, cells, chart, gallery, lines, pair, series};
use crate::report::chart::{Frame, svg};
use roxmltree::{Document, Node};

fn drawn(body: Body) -> String {
    svg(&chart("sample", body), &Frame::default())
}

fn of_class<'a>(document: &'a Document<'_>, class: &str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|n| n.attribute("class") == Some(class)).collect()
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

fn points(node: Node<'_, '_>) -> Vec<(f64, f64)> {
    let pair = |p: &str| {
        let (x, y) = p.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    node.attribute("points").unwrap().split(' ').map(pair).collect()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.35
}

#[test]
fn a_curve_lies_where_its_values_say() {
    let body = lines(Unit::Count, Unit::Count, vec![series("s", Stroke::Solid, vec![(0.0, 0.0), (5.0, 2.0), (10.0, 10.0)])]);
    let text = drawn(Body::Lines(body));
    let document = Document::parse(&text).unwrap();
    let curve = points(of_class(&document, "series")[0]);
    // 800 wide, 14 free at both sides, 16 more at the right: the scale ends at 770. Its labels are at most `10`, two digits
    // of 7 pixels, and 12 pixels for the ticks: it begins at 14 + 14 + 12 = 40. Above 10 there are 6 % free: 288 pixels
    // are 10.6.
    let bottom = curve[0].1;
    assert!(near(curve[0].0, 40.0) && near(curve[1].0, 405.0) && near(curve[2].0, 770.0), "{curve:?}");
    assert!(near(bottom - curve[1].1, 2.0 / 10.6 * 288.0) && near(bottom - curve[2].1, 10.0 / 10.6 * 288.0), "{curve:?}");
    assert_eq!(of_class(&document, "sign").len(), 3);
}

#[test]
fn stairs_have_their_corners() {
    let body = lines(Unit::Count, Unit::Share, vec![series("s", Stroke::Steps, vec![(0.0, 1.0), (10.0, 0.5), (20.0, 0.5)])]);
    let text = drawn(Body::Lines(body));
    let document = Document::parse(&text).unwrap();
    let curve = points(of_class(&document, "series")[0]);
    assert_eq!(curve.len(), 5);
    assert!(curve[0].1 == curve[1].1 && curve[1].0 == curve[2].0 && curve[2].1 == curve[3].1, "{curve:?}");
}

#[test]
fn a_row_has_a_cell_for_each_iteration() {
    let text = drawn(gallery().into_iter().find(|c| c.id == "barcode").unwrap().body);
    let document = Document::parse(&text).unwrap();
    let found = of_class(&document, "cell");
    assert_eq!(found.len(), 4 + 11);
    // Cells stand 18 pixels apart, one of them free; the second row is 20 below the first.
    assert!(found[..4].windows(2).all(|w| near(number(w[1], "x") - number(w[0], "x"), 18.0)));
    let (first, green) = (found[0], found[3]);
    assert!(near(number(first, "width"), 17.0) && near(number(green, "height"), 16.0) && near(number(first, "height"), 12.8));
    assert_eq!([first, green].map(|n| n.attribute("fill").unwrap()), ["#d55e00", "#009e73"]);
    assert!(near(number(found[4], "y") - number(first, "y"), 20.0));
    let tip = |n: Node<'_, '_>| n.first_element_child().unwrap().text().unwrap().to_owned();
    assert_eq!(tip(first), "iteration 1: red, failure A");
    assert_eq!(tip(found[13]), "iteration 10: red, a failure seen once");
}

#[test]
fn silences_lie_where_they_were() {
    let body = Timeline {
        from: at(0),
        to: at(1_000),
        iterations: vec![(1, at(0), at(250), Cell::Red(0)), (2, at(250), at(500), Cell::Green)],
        beats: vec![at(0), at(100), at(1_000)],
        gaps: vec![("heartbeat".to_owned(), at(100), at(600)), ("log".to_owned(), at(500), at(5_000))],
        marks: vec![("retry".to_owned(), at(750))],
    };
    let text = drawn(Body::Timeline(body));
    let document = Document::parse(&text).unwrap();
    let gaps = of_class(&document, "gap");
    let right = 800.0 - 14.0 - 16.0;
    let left = number(of_class(&document, "iteration")[0], "x");
    let x = |s: f64| left + s / 1_000.0 * (right - left);
    assert_eq!((gaps.len(), of_class(&document, "beat").len(), of_class(&document, "mark").len()), (2, 3, 1));
    assert!(near(number(gaps[0], "x"), x(100.0)) && near(number(gaps[0], "width"), 0.5 * (right - left)));
    // The second reaches beyond the picture, and says so.
    assert!(near(number(gaps[1], "x") + number(gaps[1], "width"), right));
    let said: Vec<&str> = document.descendants().filter(|n| n.has_tag_name("text")).filter_map(|n| n.text()).collect();
    assert!(said.contains(&"8 min 20 s") && said.contains(&"1 h 15 min →"), "{said:?}");
    assert!(near(number(of_class(&document, "mark")[0], "cx"), x(750.0)));
}

#[test]
fn bars_are_as_long_as_their_values() {
    let bars = vec![("b".to_owned(), 1.0, 1), ("a".to_owned(), 3.0, 2)];
    let text = drawn(Body::Pareto(Pareto { unit: Unit::Usd, bars }));
    let document = Document::parse(&text).unwrap();
    let found = of_class(&document, "bar");
    assert_eq!(found.len(), 2);
    assert!(near(number(found[0], "width"), 3.0 * number(found[1], "width")));
    // 3 of 4, then all.
    let share = points(of_class(&document, "share")[0]);
    let (left, right) = (786.0 - 772.0 * 0.24 + 16.0, 770.0);
    assert!(near(share[0].0, left + 0.75 * (right - left)) && near(share[1].0, right), "{share:?}");
}

#[test]
fn twice_and_half_are_as_far_from_equal() {
    let rows = vec![pair("a", Unit::Usd, 1.0, 2.0, Some((1.0, 4.0))), pair("b", Unit::Usd, 2.0, 1.0, None)];
    let text = drawn(Body::Dumbbell(Dumbbell { before: "before".to_owned(), after: "after".to_owned(), rows }));
    let document = Document::parse(&text).unwrap();
    let before = of_class(&document, "before");
    let after: Vec<f64> = of_class(&document, "after").into_iter().map(|n| points(n)[0].0).collect();
    let middle = number(before[0], "cx");
    assert!(near(after[0] - middle, middle - after[1]), "{after:?} around {middle}");
    // The interval from 1 to 4 is twice as long as the way to 2.
    let interval = points(of_class(&document, "interval")[0]);
    assert!(near(interval[0].0, middle) && near(interval[1].0 - middle, 2.0 * (after[0] - middle)));
}

#[test]
fn what_is_missing_is_said() {
    for (id, words) in [
        ("empty", "no values to show"),
        ("broken", "Not shown, because not finite: 3 of the values."),
        ("spend", "ceiling ($90.00) lies far above and is not drawn."),
        ("silent", "no record says when anything happened"),
        ("no-cells", "no iterations to show"),
        ("rows", "120 more runs are not shown."),
        ("stripes", "A stripe is 16 iterations and shows the failure that most of them have."),
        ("no-bars", "nothing was wasted, as far as is known"),
        ("no-rows", "nothing to compare"),
        ("dumbbell", "0 → 3 (no ratio)"),
    ] {
        let chart = gallery().into_iter().find(|c| c.id == id).unwrap();
        let text = svg(&chart, &Frame::default());
        let document = Document::parse(&text).unwrap();
        let said: Vec<&str> = document.descendants().filter(|n| n.has_tag_name("text")).filter_map(|n| n.text()).collect();
        assert!(said.iter().any(|s| s.contains(words)), "{id}: {said:?}");
    }
}

#[test]
fn a_chart_tells_what_it_is_without_being_seen() {
    for chart in gallery() {
        let text = svg(&chart, &Frame::default());
        let document = Document::parse(&text).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        let heads: Vec<_> = root.children().filter(Node::is_element).take(2).map(|n| (n.tag_name().name(), n.text())).collect();
        assert_eq!(heads, [("title", Some(&*chart.title)), ("desc", Some(&*chart.description))]);
    }
    assert_eq!(cells("A")[0], Cell::Red(0));
}
