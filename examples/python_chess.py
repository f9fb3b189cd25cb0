#!/usr/bin/env python3
"""Clavier from Python, with python-chess: play, analyze, ponder, set options, Chess960.

usage: python_chess.py [ENGINE]

ENGINE is the engine's command, `clavier` by default. Needs python-chess (pip install chess).
Every step checks what it gets, so this is a test of the engine as well.
"""
import sys

import chess
import chess.engine

FAST = chess.engine.Limit(time=0.1)


def play_a_game(engine: chess.engine.SimpleEngine) -> None:
    """Both sides of a short game, by nodes."""
    board = chess.Board()
    while not board.is_game_over(claim_draw=True) and board.ply() < 60:
        board.push(engine.play(board, chess.engine.Limit(nodes=2000), game="game 1").move)
    print("a game:", chess.Board().variation_san(board.move_stack[:8]), "...", board.result(claim_draw=True))


def play_with_clocks(engine: chess.engine.SimpleEngine) -> None:
    """A move with a clock, and the same position with pondering on the expected reply."""
    board = chess.Board()
    clock = chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.05, black_inc=0.05)
    result = engine.play(board, clock, ponder=True, info=chess.engine.INFO_ALL, game="game 2")
    assert result.move in board.legal_moves
    board.push(result.move)
    # The opponent plays what was expected if it can: a ponder hit. Else a miss; both end in a good move.
    reply = result.ponder if result.ponder in board.legal_moves else next(iter(board.legal_moves))
    board.push(reply)
    answer = engine.play(board, clock, game="game 2")
    assert answer.move in board.legal_moves
    print("with clocks and pondering:", result.move, reply, answer.move)


def analyze(engine: chess.engine.SimpleEngine) -> None:
    """Three lines of a position, the best first."""
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    lines = engine.analyse(board, chess.engine.Limit(depth=8), multipv=3)
    assert len(lines) == 3
    for line in lines:
        print(f"  {line['score'].white()}  {board.variation_san(line['pv'])}")
    best = lines[0]
    assert best["score"].white() == chess.engine.Mate(1) and best["pv"][0] == chess.Move.from_uci("f3f7")


def analyze_until_stopped(engine: chess.engine.SimpleEngine) -> None:
    """An infinite analysis that we stop ourselves."""
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 6 and "pv" in info:
                print("depth", info["depth"], "is enough:", info["score"].white())
                break


def look_at_some_moves_only(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    result = engine.play(board, FAST, root_moves=wanted)
    assert result.move in wanted
    print("the better of a3 and h3:", result.move)


def set_options(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"Hash": 32, "Threads": 2, "Move Overhead": 50})
    for name in ("Hash", "Threads", "MultiPV", "Ponder", "UCI_Chess960"):
        assert name in engine.options, name
    # What lichess-bot sets unless it is told otherwise.
    engine.configure({"Move Overhead": 100, "Threads": 1, "Hash": 64, "SyzygyPath": "", "UCI_ShowWDL": True})
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=6))
    wdl = info["wdl"].white()
    assert wdl.total() == 1000
    print(f"chances of the start position: {wdl.wins} {wdl.draws} {wdl.losses}")
    try:
        engine.configure({"Hash": 0})
    except chess.engine.EngineError as error:
        print("python-chess knows the ranges:", error)


def play_weakly(engine: chess.engine.SimpleEngine) -> None:
    """A limit of strength: the same game gets the same answer, and a mate in one is played."""
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 600})
    board = chess.Board()
    answers = {engine.play(board, FAST, game=number).move for number in range(3)}
    assert len(answers) == 1, answers
    mate_in_one = chess.Board("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    assert engine.play(mate_in_one, FAST).move == chess.Move.from_uci("a1a8")
    engine.configure({"UCI_LimitStrength": False})
    print("at 600 Elo it opens with", answers.pop())


def play_chess960(engine: chess.engine.SimpleEngine) -> None:
    """Castling in Chess960, forced by leaving no other root move."""
    board = chess.Board("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", chess960=True)
    castling = board.parse_san("O-O")
    result = engine.play(board, FAST, root_moves=[castling])
    assert result.move == castling, result.move
    for number in (0, 518, 959):
        board = chess.Board.from_chess960_pos(number)
        while not board.is_game_over(claim_draw=True) and board.ply() < 30:
            board.push(engine.play(board, chess.engine.Limit(nodes=500), game=number).move)
    print("Chess960: castled with", castling.uci())


def main() -> None:
    command = sys.argv[1] if len(sys.argv) > 1 else "clavier"
    with chess.engine.SimpleEngine.popen_uci(command) as engine:
        print(engine.id["name"], "by", engine.id["author"])
        for step in (
            play_a_game,
            play_with_clocks,
            analyze,
            analyze_until_stopped,
            look_at_some_moves_only,
            set_options,
            play_weakly,
            play_chess960,
        ):
            step(engine)


if __name__ == "__main__":
    main()
