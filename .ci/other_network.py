"""Writes a network that differs from another one in its name and in one weight.

usage: other_network.py IN.nnue OUT.nnue NAME
"""

import sys

HEADER = 32  # bytes before the name; the checksum is the last eight of them
NAME_LENGTH = slice(22, 24)


def checksum(file: bytes) -> int:
    """FNV-1a over 64-bit words with a rotation, as src/nnue/seal.rs says."""
    padded = file[:24] + file[HEADER:]
    padded += bytes(-len(padded) % 8)
    # A word of nothing ends a file of whole words.
    padded += bytes(8 if len(file) % 8 == 0 else 0)
    total = 0xCBF29CE484222325
    for at in range(0, len(padded), 8):
        total = ((total ^ int.from_bytes(padded[at : at + 8], "little")) * 0x100000001B3) % 2**64
        total = (total << 23 | total >> 41) % 2**64
    return total


def main() -> None:
    source, target, name = sys.argv[1], sys.argv[2], sys.argv[3].encode()
    file = bytearray(open(source, "rb").read())
    assert file[24:HEADER] == checksum(bytes(file)).to_bytes(8, "little"), "the checksum is read as it was written"
    old_name = int.from_bytes(file[NAME_LENGTH], "little")
    file[HEADER : HEADER + old_name] = name
    file[NAME_LENGTH] = len(name).to_bytes(2, "little")
    file[-4:] = (int.from_bytes(file[-4:], "little", signed=True) + 5000).to_bytes(4, "little", signed=True)
    file[24:HEADER] = checksum(bytes(file)).to_bytes(8, "little")
    open(target, "wb").write(file)


main()
