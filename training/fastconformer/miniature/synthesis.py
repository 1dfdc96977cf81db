"""Speech from espeak-ng's library at 16 kHz, with the start time of each word."""
import ctypes

import numpy as np

RATE = 16000
SYNCHRONOUS = 2
UTF8 = 1
WORD, END_OF_SENTENCE = 1, 5
SPEED, PITCH, RANGE = 1, 3, 4


class Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int), ("identifier", ctypes.c_uint), ("text_position", ctypes.c_int), ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int), ("sample", ctypes.c_int), ("user_data", ctypes.c_void_p), ("id", ctypes.c_char * 8),
    ]


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))


class Synthesiser:
    """Speaks with one voice at a time. The library is not thread-safe."""

    def __init__(self, library="libespeak-ng.so.1", data=None):
        self.espeak = ctypes.CDLL(library)
        self.rate = self.espeak.espeak_Initialize(SYNCHRONOUS, 0, data.encode() if data else None, 0)
        if self.rate <= 0:
            raise RuntimeError("espeak-ng cannot find its data")
        self.callback = CALLBACK(self.receive)
        self.espeak.espeak_SetSynthCallback(self.callback)

    def receive(self, samples, count, events):
        if count > 0:
            self.parts.append(np.ctypeslib.as_array(samples, (count,)).copy())
        nth = 0
        while events[nth].type:
            if events[nth].type == WORD:
                self.starts.append((events[nth].text_position - 1, events[nth].audio_position))
            nth += 1
        return 0

    def say(self, text, voice, speed=165, pitch=50, pitch_range=50):
        """Samples between -1 and 1, and (first character, start in milliseconds) of each word."""
        self.parts, self.starts = [], []
        if self.espeak.espeak_SetVoiceByName(voice.encode()):
            raise ValueError(f"espeak-ng has no voice {voice}")
        for parameter, value in ((SPEED, speed), (PITCH, pitch), (RANGE, pitch_range)):
            self.espeak.espeak_SetParameter(parameter, int(value), 0)
        given = text.encode()
        self.espeak.espeak_Synth(given, len(given) + 1, 0, 1, 0, UTF8, None, None)
        whole = np.concatenate(self.parts).astype(np.float32) / 32768
        return resample(whole, self.rate), list(self.starts)


def resample(samples, rate):
    """Resamples by truncating the spectrum. Padding makes the length a product of small primes."""
    if rate == RATE:
        return samples
    block = 4410
    padded = np.pad(samples, (0, -len(samples) % block))
    length = len(padded) * RATE // rate
    spectrum = np.fft.rfft(padded)[: length // 2 + 1]
    return (np.fft.irfft(spectrum, length) * (length / len(padded))).astype(np.float32)[: len(samples) * RATE // rate]


def words_of(text, starts):
    """The words of the text with their starts. espeak may treat two words as one, or one word as two."""
    times = dict(starts)
    found, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        found.append((word, next((times[here] for here in range(at, at + len(word)) if here in times), None)))
        at += len(word)
    return found


def text_of(words):
    return " ".join(word for word, _ in words)
