//! The pictures themselves, decoded again.

use crate::report::chart::draw::scene;
use crate::report::chart::spec::Body;
use crate::report::chart::spec::{Stroke, Unit};
use crate::report::chart::tests::{chart, gallery, lines, series};
use crate::report::chart::{Frame, Theme, png, svg};
use std::collections::HashMap;

struct Picture {
    width: u32,
    height: u32,
    colours: HashMap<[u8; 3], usize>,
}

fn decode(bytes: &[u8]) -> Picture {
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let mut colours = HashMap::new();
    for pixel in pixels.chunks_exact(3) {
        *colours.entry([pixel[0], pixel[1], pixel[2]]).or_default() += 1;
    }
    Picture { width: info.width, height: info.height, colours }
}

fn draw(id: &str, theme: Theme) -> Picture {
    let chart = gallery().into_iter().find(|c| c.id == id).unwrap();
    decode(&png(&chart, &Frame { width: 400, theme }).unwrap())
}

#[test]
fn every_chart_becomes_a_picture_of_its_size() {
    for chart in gallery() {
        let picture = decode(&png(&chart, &Frame { width: 320, theme: Theme::Light }).unwrap());
        assert_eq!(picture.width, 320, "{}", chart.id);
        assert_eq!(f64::from(picture.height), scene(&chart, 320.0).height, "{}", chart.id);
        // Letters at least: nothing is ever blank.
        assert!(picture.colours.len() > 10, "{}", chart.id);
    }
}

#[test]
fn both_encodings_are_in_the_picture() {
    // A green cell is 17 x 16 pixels and the letter on it is black, a red one is lower.
    let picture = draw("barcode", Theme::Light);
    let count = |rgb: [u8; 3]| picture.colours.get(&rgb).copied().unwrap_or(0);
    assert!(count([0x00, 0x9e, 0x73]) > 17 * 16 / 2 && count([0xd5, 0x5e, 0x00]) > 17 * 13, "{:?}", count([0x00, 0x9e, 0x73]));
    // Its letter: the same cell without it has more of its colour.
    assert!(count([0x00, 0x9e, 0x73]) < 2 * 18 * 16);
    // Dashes: a dashed curve covers 7 of 11 pixels of the same curve when solid.
    let covered = |stroke| {
        let body = lines(Unit::Count, Unit::Count, vec![series("", stroke, vec![(0.0, 5.0), (1.0, 5.0)])]);
        let picture = decode(&png(&chart("x", Body::Lines(body)), &Frame { width: 400, theme: Theme::Light }).unwrap());
        picture.colours.get(&[0x00, 0x72, 0xb2]).copied().unwrap_or(0)
    };
    let share = covered(Stroke::Dashed) as f64 / covered(Stroke::Solid) as f64;
    assert!((0.5..0.75).contains(&share), "{share}");
}

#[test]
fn the_ground_follows_the_theme() {
    let largest = |p: &Picture| *p.colours.iter().max_by_key(|(_, n)| **n).unwrap().0;
    assert_eq!(largest(&draw("spend", Theme::Light)), [0xff; 3]);
    assert_eq!(largest(&draw("spend", Theme::Page)), [0xff; 3]);
    assert_eq!(largest(&draw("spend", Theme::Dark)), [0x16, 0x18, 0x1d]);
    let spend = gallery().remove(0);
    let page = svg(&spend, &Frame { width: 800, theme: Theme::Page });
    assert!(page.contains(r#"fill="currentColor""#) && !page.contains("#ffffff\"/>"), "{page}");
    assert!(!svg(&spend, &Frame::default()).contains("currentColor"));
}

#[test]
fn the_same_chart_is_the_same_bytes() {
    for chart in gallery() {
        let frame = Frame { width: 640, theme: Theme::Dark };
        assert_eq!(svg(&chart, &frame), svg(&chart, &frame), "{}", chart.id);
    }
    for chart in gallery().into_iter().filter(|c| ["spend", "night", "barcode"].contains(&c.id.as_str())) {
        let frame = Frame { width: 320, theme: Theme::Dark };
        assert_eq!(png(&chart, &frame).unwrap(), png(&chart, &frame).unwrap(), "{}", chart.id);
    }
}

/// To look at them: `LOOPMORTEM_GALLERY=/tmp/gallery cargo test --no-default-features gallery_can_be_looked_at`.
#[test]
fn the_gallery_can_be_looked_at() {
    let Some(dir) = std::env::var_os("LOOPMORTEM_GALLERY").map(std::path::PathBuf::from) else { return };
    std::fs::create_dir_all(&dir).unwrap();
    for chart in gallery() {
        for (name, theme) in [("light", Theme::Light), ("dark", Theme::Dark), ("page", Theme::Page)] {
            let frame = Frame { width: 800, theme };
            std::fs::write(dir.join(format!("{}-{name}.svg", chart.id)), svg(&chart, &frame)).unwrap();
            std::fs::write(dir.join(format!("{}-{name}.png", chart.id)), png(&chart, &frame).unwrap()).unwrap();
        }
    }
}
