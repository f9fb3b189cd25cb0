//! Tells the compiler where the network lies that the binary carries: `$EVALFILE`, as testers set it, else
//! `nets/default.nnue`.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let asked = std::env::var("EVALFILE").unwrap_or_default();
    let file = if asked.is_empty() { "nets/default.nnue" } else { &asked };
    match Path::new(file).canonicalize() {
        Ok(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            println!("cargo::rustc-env=CLAVIER_NET={}", path.display());
        }
        Err(error) => println!("cargo::error=the network {file} cannot be read: {error}"),
    }
}
