//! Known counts of lines from positions that try every rule. The positions are well known test positions of
//! the field (<https://www.chessprogramming.org/Perft_Results>) or made for one rule each.

use clavier::board::{Position, perft};

macro_rules! counts {
    ($($name:ident: $fen:expr, $($depth:expr => $leaves:expr),+;)*) => {$(
        #[test]
        fn $name() {
            let position: Position = $fen.parse().unwrap();
            $(assert_eq!(perft::count(&position, $depth), $leaves, "depth {}", $depth);)+
        }
    )*};
}

counts! {
    the_initial_position: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        0 => 1, 1 => 20, 2 => 400, 3 => 8902, 4 => 197_281, 5 => 4_865_609;
    // Castling both ways, pins, promotions.
    kiwipete: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        1 => 48, 2 => 2039, 3 => 97_862, 4 => 4_085_603;
    // En passant that would uncover the king along the rank.
    an_endgame_with_pins: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        1 => 14, 2 => 191, 3 => 2812, 4 => 43_238, 5 => 674_624;
    many_promotions: "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        1 => 6, 2 => 264, 3 => 9467, 4 => 422_333;
    many_promotions_mirrored: "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        1 => 6, 2 => 264, 3 => 9467, 4 => 422_333;
    a_knight_fork_of_the_queen: "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        1 => 44, 2 => 1486, 3 => 62_379, 4 => 2_103_487;
    a_symmetrical_middlegame: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        1 => 46, 2 => 2079, 3 => 89_890, 4 => 3_894_594;
    // Rook and king along with the pawn that just moved: the capture is illegal.
    en_passant_pinned_along_the_rank: "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", 1 => 6;
    en_passant_ends_a_check: "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 1 => 15, 6 => 1_440_467;
    en_passant_opens_a_diagonal: "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6 => 1_134_888;
    short_castling_gives_check: "5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6 => 661_072;
    long_castling_gives_check: "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6 => 803_711;
    castling_rights_end_with_the_rook: "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4 => 1_274_206;
    castling_is_prevented_by_a_guard: "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4 => 1_720_476;
    promotion_out_of_check: "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6 => 3_821_001;
    a_discovered_check: "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5 => 1_004_658;
    a_promotion_gives_check: "4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6 => 217_342;
    underpromotion_gives_check: "8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6 => 92_683;
    self_stalemate: "K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6 => 2217;
    stalemate_and_mate_by_a_pawn: "8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7 => 567_584;
    stalemate_and_mate_by_a_knight: "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4 => 23_527;
    // Chess960: rooks between and beside, castling over short and long ways.
    a_fischer_random_start: "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        1 => 21, 2 => 528, 3 => 12_189, 4 => 326_672;
    a_king_between_close_rooks: "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
        1 => 21, 2 => 807, 3 => 18_002, 4 => 667_366;
    // The castling rook shields the king from the rook beside: castling would uncover him.
    a_castling_rook_that_is_pinned: "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", 1 => 7;
    // Here the king would stay on c1 and lose his shield.
    a_castling_that_leaves_the_king_in_check: "4k3/8/8/8/8/8/8/rRK5 w B - 0 1", 1 => 5;
    // King b1, rook a1: castling long moves the king by one, the rook over him.
    a_fischer_random_corner: "1k6/8/8/8/8/8/8/RK6 w A - 0 1", 1 => 12;
    // Each side has its own arrangement.
    a_double_fischer_random_start: "nnbbrkrq/pppppppp/8/8/8/8/PPPPPPPP/RBNQBNKR w HAge - 0 1",
        1 => 20, 2 => 400, 3 => 9060, 4 => 198_651;
    another_double_start: "bbnrqknr/pppppppp/8/8/8/8/PPPPPPPP/RQNKBBRN w GAhd - 0 1",
        1 => 19, 2 => 380, 3 => 8238, 4 => 184_528;
    x_fen_means_the_outer_rook: "1rbnkb1r/qppppp2/5n2/p4Npp/1P5P/P7/2PPPPP1/BBRKR1NQ w KQkq - 1 6",
        1 => 33, 2 => 980, 3 => 33_137, 4 => 1_028_058;
    // Mated among many queens.
    fifteen_queens: "Q6Q/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/3Q4/kQ1K2Q1 b - - 0 1", 1 => 0;
}
