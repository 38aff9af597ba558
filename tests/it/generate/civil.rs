//! Unix time as calendar text.

/// RFC 3339 text of a time in milliseconds, shown with `decimals` (0, 3 or 6)
/// digits of a second at an offset of so many minutes from UTC (0 prints `Z`).
pub(super) fn rfc3339(at_ms: i64, offset_minutes: i64, decimals: usize) -> String {
    let local = at_ms + offset_minutes * 60_000;
    let (days, of_day) = (local.div_euclid(86_400_000), local.rem_euclid(86_400_000));
    let (year, month, day) = date(days);
    let (seconds, millis) = (of_day / 1000, of_day % 1000);
    let fraction = match decimals {
        0 => String::new(),
        3 => format!(".{millis:03}"),
        _ => format!(".{millis:03}000"),
    };
    let zone = if offset_minutes == 0 {
        "Z".to_owned()
    } else {
        let sign = if offset_minutes < 0 { '-' } else { '+' };
        let size = offset_minutes.abs();
        format!("{sign}{:02}:{:02}", size / 60, size % 60)
    };
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}{fraction}{zone}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Year, month and day of a count of days since 1970-01-01, by the rule of the
/// 400-year cycle with the year begun in March.
fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}
