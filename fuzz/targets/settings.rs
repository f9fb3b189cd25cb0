//! Settings: any text as engine.toml.
#![no_main]

use clavier::config::Config;
use clavier::uci::options;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(config) = Config::parse(text) {
        for setting in &config.uci {
            let _ = options::check_setting(setting);
        }
    }
});
