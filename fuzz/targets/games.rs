//! Files of self-play games and of positions from inside their searches: counted, with damage told.
#![no_main]

use clavier::train::stats::Stats;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    Stats::of_file(bytes).merged_with(Stats::of_harvest(bytes)).duplicates();
});
