//! Tells the compiler two things:
//!
//! - `CLAVIER_NET`, where the network lies that the binary carries: `$EVALFILE`, as testers set it, else
//!   `nets/default.nnue`;
//! - the condition `clavier_x86`, under which the code for the vector registers of x86-64 is compiled. It holds
//!   for that target unless `RUSTFLAGS="--cfg clavier_portable"` asks for what every other target gets.

use std::path::Path;

#[path = "src/nnue/seal.rs"]
mod seal;

fn main() {
    name_network();
    choose_target();
}

fn name_network() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let asked = std::env::var("EVALFILE").unwrap_or_default();
    let file = if asked.is_empty() { "nets/default.nnue" } else { &asked };
    match Path::new(file).canonicalize().and_then(|path| Ok((std::fs::read(&path)?, path))) {
        Ok((bytes, path)) => {
            println!("cargo::rerun-if-changed={}", path.display());
            println!("cargo::rustc-env=CLAVIER_NET={}", path.display());
            if let Some(fault) = fault(&bytes) {
                println!("cargo::error=the network {file} cannot be used: {fault}");
            }
        }
        Err(error) => println!("cargo::error=the network {file} cannot be read: {error}"),
    }
}

/// Why a binary with this network would not start, if so.
fn fault(network: &[u8]) -> Option<&'static str> {
    if !network.starts_with(&seal::MAGIC) {
        Some("it is no network of Clavier")
    } else if network.len() < seal::HEADER || !seal::is_whole(network) {
        Some("it is damaged, its checksum is wrong")
    } else if network[8..10] != seal::VERSION.to_le_bytes() {
        Some("its format is not known here")
    } else {
        None
    }
}

fn choose_target() {
    println!("cargo::rustc-check-cfg=cfg(clavier_portable, clavier_x86)");
    let is_x86 = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|name| name == "x86_64");
    if is_x86 && std::env::var_os("CARGO_CFG_CLAVIER_PORTABLE").is_none() {
        println!("cargo::rustc-cfg=clavier_x86");
    }
}
