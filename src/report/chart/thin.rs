//! Fewer points without losing a peak.

use crate::report::chart::scene::Point;

/// The points that can be shown, by x, and how many cannot because they are not finite.
pub(super) fn clean(points: &[Point]) -> (Vec<Point>, usize) {
    let mut kept: Vec<Point> = points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
    let dropped = points.len() - kept.len();
    kept.sort_by(|a, b| a.0.total_cmp(&b.0));
    (kept, dropped)
}

/// At most four points a column: where the curve enters and leaves it, its highest and its lowest. The line through
/// them covers the same pixels as the line through all.
pub(super) fn thin(points: Vec<Point>, columns: f64) -> Vec<Point> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return points };
    let span = last.0 - first.0;
    #[expect(clippy::cast_precision_loss, reason = "a number of points")]
    if (points.len() as f64) <= 4.0 * columns || span <= 0.0 {
        return points;
    }
    let begin = first.0;
    let column = |p: &Point| ((p.0 - begin) / span * columns).floor();
    points.chunk_by(|a, b| column(a) == column(b)).flat_map(extremes).collect()
}

fn extremes(column: &[Point]) -> Vec<Point> {
    let by_y = |a: &&(usize, Point), b: &&(usize, Point)| a.1.1.total_cmp(&b.1.1);
    let all: Vec<(usize, Point)> = column.iter().copied().enumerate().collect();
    let mut kept: Vec<(usize, Point)> =
        [all.first(), all.iter().min_by(by_y), all.iter().max_by(by_y), all.last()].into_iter().flatten().copied().collect();
    kept.sort_by_key(|(k, _)| *k);
    kept.dedup_by_key(|(k, _)| *k);
    kept.into_iter().map(|(_, p)| p).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_survive() {
        let mut points: Vec<Point> = (0..100_000).map(|k| (f64::from(k), 1.0)).collect();
        points[31_415].1 = 9.0;
        points[27_182].1 = -9.0;
        let thinned = thin(points.clone(), 700.0);
        assert!(thinned.len() <= 4 * 701, "{}", thinned.len());
        for peak in [31_415, 27_182, 0, 99_999] {
            assert!(thinned.contains(&points[peak]), "{peak}");
        }
        assert!(thinned.windows(2).all(|w| w[0].0 < w[1].0));
    }

    #[test]
    fn what_is_not_finite_is_counted() {
        let (kept, dropped) = clean(&[(2.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY), (0.0, 0.0)]);
        assert_eq!((kept, dropped), (vec![(0.0, 0.0), (2.0, 1.0)], 2));
    }
}
