//! The `clavier` binary.
fn main() {
    let mut args = std::env::args().skip(1);
    let depth: u32 = args.next().and_then(|a| a.parse().ok()).unwrap_or(5);
    let fen = args.next().unwrap_or_else(|| clavier::board::fen::START.into());
    let p: clavier::board::Position = fen.parse().unwrap();
    let t = std::time::Instant::now();
    let n = clavier::board::perft::count(&p, depth);
    println!("{n} {:?} {:.1} Mn/s", t.elapsed(), n as f64 / t.elapsed().as_secs_f64() / 1e6);
}
