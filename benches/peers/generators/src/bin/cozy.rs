//! Counts perft with cozy-chess: `cozy DEPTH FEN`.

use cozy_chess::Board;

fn perft(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 1 {
        // A closure of its own, which the compiler can dissolve: the peer is to show its best.
        board.generate_moves(|moves| {
            leaves += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for m in moves {
                let mut child = board.clone();
                child.play_unchecked(m);
                leaves += perft(&child, depth - 1);
            }
            false
        });
    }
    leaves
}

fn main() {
    let (depth, fen) = generators::arguments();
    let board = Board::from_fen(&fen, false).expect("a good FEN");
    println!("{}", perft(&board, depth));
}
