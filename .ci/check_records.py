"""Reads with python-chess what the engine writes: annotated games and EPD.

Usage: check_records.py ENGINE FILE...

Every game that python-chess can follow has to come out of `annotate` with the same moves and with values that
it understands; every line of `analyze --format epd` has to parse with legal moves.
"""

import io
import re
import subprocess
import sys

import chess
import chess.pgn

# python-chess does not know figurines.
FIGURINES = str.maketrans("♔♕♖♗♘♚♛♜♝♞", "KQRBNKQRBN")


def games(text):
    """All games of a text."""
    stream = io.StringIO(text)
    while (game := chess.pgn.read_game(stream)) is not None:
        yield game


def read(path):
    """The text of a file, whatever its encoding."""
    with open(path, "rb") as file:
        data = file.read().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        return data.decode("utf-8-sig").translate(FIGURINES)
    except UnicodeDecodeError:
        return data.decode("latin-1")


def run(engine, *arguments):
    """The output of a command that may have met damaged games."""
    result = subprocess.run([engine, *arguments], capture_output=True, check=False)
    if result.returncode not in (0, 1):
        sys.exit(f"{arguments}: exit code {result.returncode}: {result.stderr.decode(errors='replace')}")
    return result.stdout.decode()


def check_games(engine, path):
    """Same moves, readable values. Gives the numbers of games compared and of values read."""
    before = list(games(read(path)))
    after = list(games(run(engine, "annotate", path, "--nodes", "1")))
    compared = values = 0
    if len(before) != len(after):
        print(f"{path}: python-chess finds {len(before)} games, and {len(after)} behind the engine")
        return 0, 0
    for number, (old, new) in enumerate(zip(before, after), 1):
        if old.errors:
            continue
        if [node.move for node in old.mainline()] != [node.move for node in new.mainline()]:
            sys.exit(f"{path}, game {number}: other moves")
        if new.errors:
            sys.exit(f"{path}, game {number}: {new.errors}")
        compared += 1
        for node in new.mainline():
            if "[%eval" in node.comment:
                values += 1
                if node.eval() is None:
                    sys.exit(f"{path}, game {number}: no value in {node.comment!r}")
    return compared, values


def check_epd(engine, path):
    """Every line parses, and its moves are legal."""
    lines = 0
    for line in run(engine, "analyze", path, "--pgn", "--nodes", "1", "--format", "epd").splitlines():
        board = chess.Board(" ".join(line.split()[:4]) + " 0 1", chess960=True)
        if not board.has_chess960_castling_rights():
            # python-chess reads opcodes by the rules of standard chess alone.
            chess.Board.from_epd(line)
        for opcode in ("bm", "pv"):
            found = re.search(f" {opcode} ([^;]*);", line)
            copy = board.copy()
            for san in found.group(1).split() if found else []:
                copy.push_san(san)
        lines += 1
    return lines


def main():
    engine, *paths = sys.argv[1:]
    compared = values = lines = 0
    for path in paths:
        more, read_values = check_games(engine, path)
        compared, values = compared + more, values + read_values
        lines += check_epd(engine, path)
    print(f"{compared} games with the same moves, {values} values, {lines} lines of EPD")


if __name__ == "__main__":
    main()
