//! Counts perft with cozy-chess: `cozy DEPTH FEN`.

use cozy_chess::Board;

fn perft(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for m in moves {
                let mut child = board.clone();
                child.play_unchecked(m);
                leaves += perft(&child, depth - 1);
            }
        }
        false
    });
    leaves
}

fn main() {
    let (depth, fen) = peers::arguments();
    let board = Board::from_fen(&fen, false).expect("a good FEN");
    println!("{}", perft(&board, depth));
}
