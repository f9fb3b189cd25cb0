//! Counts perft with shakmaty: `shakmaty DEPTH FEN`.

use shakmaty::{CastlingMode, Chess, fen::Fen, perft};

fn main() {
    let (depth, fen) = generators::arguments();
    let fen: Fen = fen.parse().expect("a good FEN");
    let position: Chess = fen.into_position(CastlingMode::Standard).expect("a legal position");
    println!("{}", perft(&position, depth));
}
