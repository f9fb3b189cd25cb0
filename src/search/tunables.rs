//! The search's parameters, each declared once, beside the heuristic that uses it.
//!
//! In the default build a parameter is a `const fn`. With the feature `tune` it is an atomic that a UCI
//! option sets, and each way of pruning or extending gets a switch.

/// One parameter, as a tuner sees it.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// Name, as in the source.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// Value in the default build.
    pub default: i32,
    /// Smallest sensible value.
    pub low: i32,
    /// Largest sensible value.
    pub high: i32,
    /// A step that a match may notice.
    pub step: i32,
    /// The present value.
    #[cfg(feature = "tune")]
    pub value: &'static std::sync::atomic::AtomicI32,
}

/// Declares parameters: `/// Doc.` `name: default in low..=high step s;`
macro_rules! tunables {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal in $low:literal..=$high:literal step $step:literal;)*) => {
        $(
            const _: () = assert!($low <= $default && $default <= $high, "the default is in its range");

            $(#[doc = $doc])+
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub(crate) const fn $name() -> i32 {
                $default
            }

            $(#[doc = $doc])+
            #[cfg(feature = "tune")]
            #[inline]
            pub(crate) fn $name() -> i32 {
                self::tune::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod tune {
            $(pub(super) static $name: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new($default);)*
        }

        /// The parameters of this file.
        pub(crate) const TUNABLES: &[$crate::search::tunables::Tunable] = &[
            $($crate::search::tunables::Tunable {
                name: stringify!($name),
                doc: concat!($($doc),+),
                default: $default,
                low: $low,
                high: $high,
                step: $step,
                #[cfg(feature = "tune")]
                value: &tune::$name,
            }),*
        ];
    };
}

pub(crate) use tunables;

/// All parameters of the search.
pub fn all() -> impl Iterator<Item = Tunable> {
    super::heuristics::TUNABLES.iter().flat_map(|file| file.iter().copied())
}

/// Sets a parameter by its name, if there is one and the value lies in its range.
#[cfg(feature = "tune")]
pub fn set(name: &str, value: i32) -> bool {
    let found = all().find(|tunable| tunable.name == name);
    found.filter(|tunable| (tunable.low..=tunable.high).contains(&value)).is_some_and(|tunable| {
        tunable.value.store(value, std::sync::atomic::Ordering::Relaxed);
        true
    })
}

#[cfg(all(test, feature = "tune"))]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_set_by_name_and_within_their_range() {
        let known = all().next().unwrap();
        assert!(set(known.name, known.default));
        assert!(
            !set(known.name, known.high + 1) && !set(known.name, known.low - 1) && !set("no_such_thing", 1)
        );
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = all().map(|parameter| parameter.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
