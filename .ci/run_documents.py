"""Runs the commands of the documents as they are written.

Usage: run_documents.py FOLDER DOCUMENT...

FOLDER is a fresh copy of the repository, in which the commands run one after the other, as a newcomer types them; what
`cargo install` makes is on their path. Blocks of `sh` and `python` are run, blocks of
`diff` are applied. A comment before a block may say otherwise:

    <!-- not run: WHY -->          the block is left out
    <!-- needs: PROGRAM... -->     the block is left out where a program is not to be had
    <!-- smaller: OLD=NEW... -->   words are replaced, so that it takes seconds instead of hours

Samples of the files that the commands speak of (positions.epd, games.pgn ...) are put into the folder first.
"""

import os
import re
import shutil
import subprocess
import sys
import time

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
SCHOLAR = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq -"
GAME = '[Event "Sample"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n'
SAMPLES = {
    "positions.epd": f'{START} id "start";\n{SCHOLAR} bm Qxf7#; id "scholar";\n',
    "positions.fen": f"{START} 0 1\n{SCHOLAR} 4 4\n",
    "positions.jsonl": f'{{"id":"a","fen":"{START} 0 1"}}\n{{"id":"b","fen":"{SCHOLAR} 4 4"}}\n',
    "wac.epd": f'{SCHOLAR} bm Qxf7#; id "one";\n',
    "sts.epd": f'{SCHOLAR} bm Qxf7#; c0 "Qxf7#=10"; id "one";\n',
    "games.pgn": GAME * 2,
}
BLOCK = re.compile(r"((?:^<!--(?:(?!-->).)*-->\n)*)^```(sh|python|diff)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DIRECTIVE = re.compile(r"<!-- (not run|needs|smaller): (.*?) -->")
INTERPRETERS = {
    "sh": ["bash", "-euo", "pipefail", "-c"],
    "python": [sys.executable, "-c"],
    "diff": ["patch", "--strip=1", "--no-backup-if-mismatch"],
}
LIMIT_S = 1200


def commands(document):
    """Line, language, text and directives of each block."""
    with open(document, encoding="utf-8") as file:
        text = file.read()
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start(3)) + 1
        yield line, match[2], match[3], dict(DIRECTIVE.findall(match[1]))


def reason_to_skip(directives, path):
    if "not run" in directives:
        return directives["not run"]
    missing = [name for name in directives.get("needs", "").split() if not shutil.which(name, path=path)]
    return f"no {', '.join(missing)} here" if missing else None


def smaller(text, replacements):
    for pair in replacements.split():
        old, new = pair.split("=")
        assert old in text, f"{old} is not in the block"
        text = text.replace(old, new)
    return text


def main(folder, documents):
    installed = os.path.join(folder, "installed")
    path = os.pathsep.join([os.path.join(installed, "bin"), os.environ["PATH"], "/usr/games"])
    environment = {**os.environ, "PATH": path, "CARGO_INSTALL_ROOT": installed}
    environment["XDG_CONFIG_HOME"] = os.path.join(folder, "settings")
    for name, text in SAMPLES.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    failed = 0
    for document in documents:
        for line, language, text, directives in commands(document):
            place = f"{document}:{line}"
            if reason := reason_to_skip(directives, path):
                print(f"left out  {place}: {reason}")
                continue
            text = smaller(text, directives.get("smaller", ""))
            command = INTERPRETERS[language]
            script = [] if language == "diff" else [text]
            start = time.monotonic()
            outcome = subprocess.run(
                command + script, cwd=folder, env=environment, input="" if script else text, timeout=LIMIT_S,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            )
            seconds = time.monotonic() - start
            if outcome.returncode == 0:
                print(f"ok        {place} ({seconds:.1f} s)")
            else:
                failed += 1
                print(f"FAILED    {place}: {outcome.returncode}\n{text}\n{outcome.stdout[-2000:]}")
            sys.stdout.flush()
    return 1 if failed else 0


sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:]))
