//! Layer 0: dates, as logs and records tell them.

use std::time::{SystemTime, UNIX_EPOCH};

/// A time in UTC to the second, as `2026-01-31T23:59:59`; before 1970 the beginning of that year. The date by
/// Howard Hinnant's `civil_from_days`: <https://howardhinnant.github.io/date_algorithms.html>.
pub fn utc(time: SystemTime) -> String {
    const DAYS_TO_YEAR_0: u64 = 719_468;
    const DAYS_OF_ERA: u64 = 146_097;
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let days = seconds / 86_400 + DAYS_TO_YEAR_0;
    let (era, day_of_era) = (days / DAYS_OF_ERA, days % DAYS_OF_ERA);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    // Years begin in March here, so that the leap day comes last.
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let date = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(date(0), "1970-01-01T00:00:00");
        assert_eq!(date(951_782_399), "2000-02-28T23:59:59");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00");
        assert_eq!(date(1_767_225_599), "2025-12-31T23:59:59");
        assert_eq!(date(1_796_086_861), "2026-12-01T01:01:01");
        assert_eq!(date(4_107_542_400), "2100-03-01T00:00:00");
    }
}
