"""Analyze positions on a cluster with Dask; the records come in the order of the input.

Usage: python dask_analyze.py ENGINE [FILE] [--nodes N] [--block N] [--workers N] [--scheduler ADDRESS]

FILE holds FEN, EPD or JSON, one position a line; without one, a few positions are analyzed on two local workers.
Positions get an id from their place in the file unless they have one. ENGINE has to be at the same path on every
machine of the cluster. Needs the package `distributed` (pip install "dask[distributed]").
"""

import argparse
import json
import subprocess
import sys

from dask.distributed import Client, LocalCluster

EXAMPLES = """\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4
6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1
no position at all
8/8/8/8/8/2k5/8/KQ6 w - - 0 1
"""


def read_positions(path):
    """The lines that hold positions."""
    lines = open(path, encoding="utf-8") if path else EXAMPLES.splitlines()
    for line in lines:
        line = line.strip()
        if line and not line.startswith("#"):
            yield line


def analyze_block(engine, nodes, first, lines):
    """The records of some positions, of which the first has this number. Runs on a worker."""
    command = [engine, "analyze", "--jobs", "1", "--nodes", str(nodes)]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: some positions are wrong, and their records tell it
        raise RuntimeError(done.stderr)
    records = [json.loads(record) for record in done.stdout.splitlines()]
    for index, record in enumerate(records):
        if record["id"] == index + 1:  # the number within the block
            record["id"] = first + index
    return records


def blocks(positions, size):
    """The positions in blocks, each with the number of its first."""
    block, first = [], 1
    for position in positions:
        block.append(position)
        if len(block) == size:
            yield first, block
            block, first = [], first + size
    if block:
        yield first, block


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("file", nargs="?")
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--block", type=int, default=100, help="positions in a block")
    parser.add_argument("--workers", type=int, default=2, help="local workers, if there is no scheduler")
    parser.add_argument("--scheduler", help="address of a cluster, such as tcp://head:8786")
    arguments = parser.parse_args()
    cluster = None
    if not arguments.scheduler:
        cluster = LocalCluster(
            n_workers=arguments.workers, threads_per_worker=1, processes=True, dashboard_address=None
        )
    with Client(arguments.scheduler or cluster) as client:
        futures = [
            client.submit(analyze_block, arguments.engine, arguments.nodes, first, block, pure=False, retries=2)
            for first, block in blocks(read_positions(arguments.file), arguments.block)
        ]
        for future in futures:
            for record in future.result():
                print(json.dumps(record, separators=(",", ":"), ensure_ascii=False))
    if cluster:
        cluster.close()
    sys.stdout.flush()


if __name__ == "__main__":
    main()
