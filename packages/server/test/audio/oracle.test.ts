// Every format against ffmpeg: same length, same sound.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { createUploadDecoding } from '../../src/audio/decoding.ts';
import { decodeBytes } from './decode-bytes.ts';
import { decode, encode, snrDb, withoutFfmpeg } from './ffmpeg.ts';
import { babble, pcm16Bytes, writeWav } from './wav-writer.ts';

const decoding = createUploadDecoding();
after(() => decoding.close());

interface Variant {
  readonly name: string;
  readonly ending: string;
  readonly options: readonly string[];
  readonly sampleRateHz?: number;
  readonly channels?: 1 | 2;
  /** Least agreement; Infinity for to the bit. */
  readonly minSnrDb: number;
}

const EXACT = Number.POSITIVE_INFINITY;
const wav = (codec: string, minSnrDb = EXACT, sampleRateHz = 16_000, ...more: string[]): Variant => ({
  name: `wav ${codec} at ${sampleRateHz} Hz${more.length > 0 ? ` ${more.join(' ')}` : ''}`,
  ending: 'wav',
  options: ['-c:a', codec, ...more],
  sampleRateHz,
  minSnrDb,
});
const lossy = (name: string, ending: string, options: readonly string[], rest: Partial<Variant> = {}): Variant => ({
  name,
  ending,
  options,
  sampleRateHz: 48_000,
  minSnrDb: 25,
  ...rest,
});

const OPUS = ['-c:a', 'libopus', '-b:a', '48k'];
/** At low rates ffmpeg's two Opus decoders differ from each other in stereo, by a fraction of a sample; at this one they agree. */
const OPUS_STEREO = ['-c:a', 'libopus', '-b:a', '96k'];
const VORBIS = ['-c:a', 'libvorbis', '-q:a', '5'];
const VARIANTS: readonly Variant[] = [
  ...['pcm_u8', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_f64le', 'pcm_alaw', 'pcm_mulaw'].map((codec) =>
    wav(codec),
  ),
  // ffmpeg rounds the steps of this one in its own way.
  wav('adpcm_ima_wav', 25),
  wav('adpcm_ms'),
  wav('pcm_s16le', EXACT, 16_000, '-rf64', 'always'),
  ...[8000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000].map((rate) => wav('pcm_s16le', 60, rate)),
  lossy('ogg opus', 'ogg', OPUS),
  lossy('ogg opus, 60 ms packets', 'ogg', [...OPUS, '-frame_duration', '60']),
  lossy('ogg opus, 2.5 ms packets', 'ogg', [...OPUS, '-frame_duration', '2.5', '-application', 'lowdelay']),
  lossy('ogg opus at 12 kbit/s', 'ogg', ['-c:a', 'libopus', '-b:a', '12k', '-application', 'voip']),
  lossy('ogg opus stereo', 'ogg', OPUS_STEREO, { channels: 2 }),
  lossy('ogg vorbis', 'ogg', VORBIS),
  lossy('ogg vorbis at 16 kHz', 'ogg', VORBIS, { sampleRateHz: 16_000, minSnrDb: 80 }),
  lossy('ogg vorbis at 8 kHz', 'ogg', VORBIS, { sampleRateHz: 8000 }),
  lossy('ogg vorbis stereo', 'ogg', ['-c:a', 'libvorbis', '-q:a', '1'], { channels: 2, sampleRateHz: 44_100 }),
  lossy('ogg flac', 'ogg', ['-c:a', 'flac'], { minSnrDb: EXACT, sampleRateHz: 16_000 }),
  lossy('ogg flac of 24 bits', 'ogg', ['-c:a', 'flac', '-sample_fmt', 's32'], {
    minSnrDb: EXACT,
    sampleRateHz: 16_000,
  }),
  lossy('ogg flac stereo', 'ogg', ['-c:a', 'flac'], { minSnrDb: 60, channels: 2 }),
  lossy('webm opus', 'webm', OPUS),
  lossy('webm opus stereo', 'webm', OPUS_STEREO, { channels: 2 }),
  lossy('webm opus, live', 'webm', [...OPUS, '-f', 'webm', '-live', '1']),
  lossy('webm vorbis', 'webm', VORBIS, { sampleRateHz: 44_100 }),
  lossy('matroska pcm', 'mkv', ['-c:a', 'pcm_s16le'], { minSnrDb: EXACT, sampleRateHz: 16_000 }),
  lossy('matroska float', 'mkv', ['-c:a', 'pcm_f32le'], { minSnrDb: EXACT, sampleRateHz: 16_000 }),
];

/** The same voice on all channels. */
const source = (sampleRateHz: number, channels: number): Uint8Array => {
  const voice = babble(3.217, sampleRateHz);
  const frames = Float32Array.from({ length: voice.length * channels }, (_, at) => voice[Math.floor(at / channels)]!);
  return writeWav(pcm16Bytes(frames), { sampleRateHz, channels });
};

for (const { name, ending, options, sampleRateHz = 16_000, channels = 1, minSnrDb } of VARIANTS) {
  test(`${name} sounds as ffmpeg hears it`, { skip: withoutFfmpeg }, async () => {
    const file = encode(source(sampleRateHz, channels), ending, options);
    const expected = decode(file, ending, channels);
    const { samples } = await decodeBytes(decoding, file);
    const tolerance = Math.ceil(16_000 / sampleRateHz);
    assert.ok(
      Math.abs(samples.length - expected.length) <= tolerance,
      `${samples.length} samples, ffmpeg has ${expected.length}`,
    );
    const agreement = snrDb(expected, samples);
    assert.ok(agreement >= minSnrDb, `agrees by ${agreement.toFixed(1)} dB only`);
  });
}
