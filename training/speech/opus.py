"""Encodes and decodes Opus packets with the system's libopus: a small store for many short clips."""
import ctypes
import ctypes.util
import json
import os

import numpy as np

VOICE = 2048
SET_BITRATE, SET_COMPLEXITY = 4002, 4010
FRAME_SECONDS = 0.06
LARGEST_PACKET = 1500


def library():
    name = os.environ.get("LIBOPUS") or ctypes.util.find_library("opus")
    if not name:
        raise RuntimeError("libopus was not found; set LIBOPUS to its path")
    lib = ctypes.CDLL(name)
    lib.opus_encoder_create.restype = ctypes.c_void_p
    lib.opus_decoder_create.restype = ctypes.c_void_p
    return lib


def encode(lib, samples, rate, bitrate, complexity=3):
    """Packets of 60 ms, each after its length in two bytes."""
    error = ctypes.c_int()
    state = ctypes.c_void_p(lib.opus_encoder_create(rate, 1, VOICE, ctypes.byref(error)))
    lib.opus_encoder_ctl(state, SET_BITRATE, ctypes.c_int(bitrate))
    lib.opus_encoder_ctl(state, SET_COMPLEXITY, ctypes.c_int(complexity))
    size = int(rate * FRAME_SECONDS)
    count = -(-len(samples) // size)
    padded = np.zeros(count * size, np.int16)
    padded[: len(samples)] = np.clip(np.round(samples * 32767), -32768, 32767)
    packet, out = ctypes.create_string_buffer(LARGEST_PACKET), []
    for index in range(count):
        frame = padded[index * size : (index + 1) * size]
        length = lib.opus_encode(state, frame.ctypes.data_as(ctypes.c_void_p), size, packet, LARGEST_PACKET)
        if length < 0:
            raise RuntimeError(f"opus_encode: {length}")
        out.append(length.to_bytes(2, "little") + packet.raw[:length])
    lib.opus_encoder_destroy(state)
    return b"".join(out)


def decode(lib, data, rate, count):
    """The first `count` samples, as int16."""
    error = ctypes.c_int()
    state = ctypes.c_void_p(lib.opus_decoder_create(rate, 1, ctypes.byref(error)))
    size = int(rate * FRAME_SECONDS)
    out = np.zeros(-(-count // size) * size, np.int16)
    place, filled = 0, 0
    while place < len(data):
        length = int.from_bytes(data[place : place + 2], "little")
        packet = data[place + 2 : place + 2 + length]
        frame = out[filled : filled + size]
        got = lib.opus_decode(state, packet, length, frame.ctypes.data_as(ctypes.c_void_p), size, 0)
        if got < 0:
            raise RuntimeError(f"opus_decode: {got}")
        place, filled = place + 2 + length, filled + got
    lib.opus_decoder_destroy(state)
    return out[:count]


class Writer:
    """Appends clips to PATH.bin and lists them in PATH.json."""

    def __init__(self, path):
        self.path, self.lib, self.clips, self.size = path, library(), [], 0
        self.file = open(path + ".bin", "wb")

    def add(self, samples, rate, bitrate, **facts):
        data = encode(self.lib, samples, rate, bitrate)
        self.file.write(data)
        self.clips.append({"start": self.size, "bytes": len(data), "rate": rate, "samples": len(samples), **facts})
        self.size += len(data)

    def close(self):
        self.file.close()
        with open(self.path + ".json", "w", encoding="utf8") as file:
            json.dump(self.clips, file)


def read(path):
    """(clips, all packets)."""
    with open(path + ".json", encoding="utf8") as file:
        clips = json.load(file)
    with open(path + ".bin", "rb") as file:
        return clips, file.read()
