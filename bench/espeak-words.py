# Speech by espeak-ng, and where each word of it begins, as JSON: {"wav": base64, "words": [{"word", "startMs"}]}.
# The command line of espeak-ng does not tell the times, its library does.
import base64
import ctypes
import io
import json
import wave

SENTENCES = [
    "The children walked slowly along the river before breakfast.",
    "My brother bought several green apples at the market.",
    "Winter mornings are often dark and terribly cold.",
    "Please remember to close the window when you leave.",
    "Our teacher explained the difficult question again yesterday.",
    "A heavy wooden table stood beside the kitchen door.",
    "They travelled across the country by train last summer.",
    "Nobody believed the story that the captain told us.",
]
VOICES = [("en-us", 150), ("en-gb", 165), ("en-us", 185)]
PAUSE_SECONDS = 0.6
# Constants of espeak-ng/speak_lib.h.
OUTPUT_SYNCHRONOUS, RATE, EVENT_END, EVENT_WORD, POSITION_CHARACTER, CHARS_UTF8 = 2, 1, 0, 1, 1, 1


class Id(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8)]


class Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", Id),
    ]


Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))
library = ctypes.CDLL("libespeak-ng.so.1")
rate = library.espeak_Initialize(OUTPUT_SYNCHRONOUS, 0, None, 0)
pcm = bytearray()
words = []
events = []


def take(samples, count, found):
    if samples and count > 0:
        pcm.extend(ctypes.string_at(samples, count * 2))
    index = 0
    while found[index].type != EVENT_END:
        if found[index].type == EVENT_WORD:
            events.append((found[index].text_position - 1, found[index].length, found[index].audio_position))
        index += 1
    return 0


callback = Callback(take)
library.espeak_SetSynthCallback(callback)
for voice, speed in VOICES:
    library.espeak_SetVoiceByName(voice.encode())
    library.espeak_SetParameter(RATE, speed, 0)
    for sentence in SENTENCES:
        begin_ms = 1000 * (len(pcm) // 2) / rate
        events.clear()
        text = sentence.encode() + b"\0"
        library.espeak_Synth(text, len(text), 0, POSITION_CHARACTER, 0, CHARS_UTF8, None, None)
        library.espeak_Synchronize()
        words += [
            {"word": sentence[at : at + length].lower(), "startMs": begin_ms + ms} for at, length, ms in events
        ]
        pcm.extend(b"\0\0" * int(rate * PAUSE_SECONDS))

file = io.BytesIO()
with wave.open(file, "wb") as out:
    out.setnchannels(1)
    out.setsampwidth(2)
    out.setframerate(rate)
    out.writeframes(bytes(pcm))
print(json.dumps({"wav": base64.b64encode(file.getvalue()).decode(), "words": words}))
