//! Files of networks: refused, or able to evaluate.
#![no_main]

use clavier::board::Position;
use clavier::nnue::Network;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(network) = Network::from_bytes(bytes) {
        network.evaluate(&Position::start());
    }
});
