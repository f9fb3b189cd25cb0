//! What the peers' programs share.

/// Depth and FEN from the command line.
pub fn arguments() -> (u32, String) {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().and_then(|text| text.parse().ok());
    match (depth, arguments.next()) {
        (Some(depth), Some(fen)) => (depth, fen),
        _ => {
            eprintln!("usage: PROGRAM DEPTH FEN");
            std::process::exit(2);
        }
    }
}
