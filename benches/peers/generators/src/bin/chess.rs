//! Counts perft with chess: `chess DEPTH FEN`.

use chess::{Board, MoveGen};
use std::str::FromStr;

fn main() {
    let (depth, fen) = generators::arguments();
    let board = Board::from_str(&fen).expect("a good FEN");
    println!("{}", MoveGen::movegen_perft_test(&board, depth as usize));
}
