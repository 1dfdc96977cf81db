// Compares every format with ffmpeg: same length, same sound.
import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeBytes } from './decode-bytes.ts';
import { decode, encode, snrDb, withoutFfmpeg } from './ffmpeg.ts';
import { withJointStereo } from './mp3-writer.ts';
import { babble, pcm16Bytes, tone, writeWav } from './wav-writer.ts';

interface Variant {
  readonly name: string;
  readonly ending: string;
  readonly options: readonly string[];
  readonly sampleRateHz?: number;
  readonly channels?: 1 | 2;
  /** Minimum agreement; Infinity for bit-exact. */
  readonly minSnrDb: number;
  /** Compare the length with the source: some versions of ffmpeg keep the encoder's padding. */
  readonly isTrimmed?: boolean;
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
/** At low rates ffmpeg's two Opus decoders differ by a fraction of a sample in stereo; at this rate they agree. */
const OPUS_STEREO = ['-c:a', 'libopus', '-b:a', '96k'];
const VORBIS = ['-c:a', 'libvorbis', '-q:a', '5'];
const VARIANTS: readonly Variant[] = [
  ...['pcm_u8', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_f64le', 'pcm_alaw', 'pcm_mulaw'].map((codec) =>
    wav(codec),
  ),
  // ffmpeg rounds the steps of this one differently.
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

const MP3 = ['-c:a', 'libmp3lame', '-b:a', '64k'];
const AAC = ['-c:a', 'aac', '-b:a', '64k'];
const trimmed = (name: string, ending: string, options: readonly string[], rest: Partial<Variant> = {}): Variant =>
  lossy(name, ending, options, { isTrimmed: true, ...rest });
/** Formats outside the contract. */
const OTHER_VARIANTS: readonly Variant[] = [
  ...[8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000].map((sampleRateHz) =>
    lossy(`mp3 at ${sampleRateHz} Hz`, 'mp3', ['-c:a', 'libmp3lame', '-b:a', '32k'], { sampleRateHz, minSnrDb: 45 }),
  ),
  lossy('mp3 joint stereo', 'mp3', MP3, { channels: 2, sampleRateHz: 44_100, minSnrDb: 50 }),
  lossy('mp3 stereo, each channel alone', 'mp3', [...MP3, '-joint_stereo', '0'], { channels: 2, minSnrDb: 50 }),
  lossy('mp3 of a variable rate', 'mp3', ['-c:a', 'libmp3lame', '-q:a', '5'], { channels: 2, minSnrDb: 50 }),
  lossy('mp3 at 320 kbit/s', 'mp3', ['-c:a', 'libmp3lame', '-b:a', '320k'], { sampleRateHz: 44_100, minSnrDb: 50 }),
  lossy('mp3 without an info frame', 'mp3', [...MP3, '-write_xing', '0'], { minSnrDb: 50 }),
  lossy('mp3 by another encoder', 'mp3', ['-c:a', 'libshine', '-b:a', '64k'], { minSnrDb: 45 }),
  ...[8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000].map(
    (sampleRateHz) =>
      lossy(`aac at ${sampleRateHz} Hz`, 'aac', ['-c:a', 'aac', '-b:a', '32k', '-aac_pns', '0'], {
        sampleRateHz,
        minSnrDb: 50,
      }),
  ),
  lossy('aac stereo', 'aac', [...AAC, '-aac_pns', '0'], { channels: 2, sampleRateHz: 44_100, minSnrDb: 50 }),
  lossy('aac with intensity stereo', 'aac', ['-c:a', 'aac', '-b:a', '32k', '-aac_pns', '0'], {
    channels: 2,
    minSnrDb: 45,
  }),
  lossy('aac with noise substitution', 'aac', ['-c:a', 'aac', '-b:a', '24k'], { minSnrDb: 25 }),
  trimmed('m4a', 'm4a', AAC, { channels: 2, sampleRateHz: 44_100 }),
  trimmed('m4a with its index in front', 'm4a', [...AAC, '-movflags', '+faststart'], { sampleRateHz: 44_100 }),
  trimmed('mov', 'mov', AAC, { sampleRateHz: 44_100 }),
  trimmed('3gp', '3gp', AAC, { sampleRateHz: 16_000 }),
  trimmed('mp4 opus', 'mp4', OPUS),
  trimmed('mp4 mp3', 'mp4', MP3, { sampleRateHz: 44_100 }),
  trimmed('mp4 flac', 'mp4', ['-c:a', 'flac', '-strict', '-2'], { minSnrDb: EXACT, sampleRateHz: 16_000 }),
  trimmed('mp4 in fragments', 'mp4', [...OPUS, '-movflags', 'frag_keyframe+empty_moov+delay_moov']),
  ...['pcm_s16le', 'pcm_s24be', 'pcm_f32le', 'pcm_alaw'].map((codec) =>
    lossy(`mov ${codec}`, 'mov', ['-c:a', codec], { minSnrDb: EXACT, sampleRateHz: 16_000 }),
  ),
  lossy('m4a alac', 'm4a', ['-c:a', 'alac'], { minSnrDb: EXACT, sampleRateHz: 16_000 }),
  lossy('m4a alac of 24 bits', 'm4a', ['-c:a', 'alac', '-sample_fmt', 's32p'], {
    minSnrDb: EXACT,
    sampleRateHz: 16_000,
  }),
  lossy('m4a alac stereo', 'm4a', ['-c:a', 'alac'], { minSnrDb: 60, channels: 2 }),
  lossy('flac', 'flac', ['-c:a', 'flac'], { minSnrDb: EXACT, sampleRateHz: 16_000 }),
  lossy('flac of 24 bits', 'flac', ['-c:a', 'flac', '-sample_fmt', 's32'], { minSnrDb: EXACT, sampleRateHz: 16_000 }),
  lossy('flac stereo', 'flac', ['-c:a', 'flac', '-compression_level', '12'], { minSnrDb: 60, channels: 2 }),
  ...[
    'pcm_s16be',
    'pcm_s24be',
    'pcm_s32be',
    'pcm_s8',
    'pcm_s16le',
    'pcm_f32be',
    'pcm_f64be',
    'pcm_alaw',
    'pcm_mulaw',
  ].map((codec) => lossy(`aiff ${codec}`, 'aiff', ['-c:a', codec], { minSnrDb: EXACT, sampleRateHz: 16_000 })),
  ...['pcm_s16le', 'pcm_s24be', 'pcm_f32le', 'pcm_alaw', 'alac'].map((codec) =>
    lossy(`caf ${codec}`, 'caf', ['-c:a', codec], { minSnrDb: EXACT, sampleRateHz: 16_000 }),
  ),
  lossy('matroska aac', 'mkv', [...AAC, '-aac_pns', '0'], { sampleRateHz: 44_100, minSnrDb: 50 }),
  lossy('matroska mp3', 'mkv', MP3, { sampleRateHz: 44_100, minSnrDb: 50 }),
  lossy('matroska flac', 'mkv', ['-c:a', 'flac'], { minSnrDb: EXACT, sampleRateHz: 16_000 }),
  lossy('matroska alac', 'mkv', ['-c:a', 'alac'], { minSnrDb: EXACT, sampleRateHz: 16_000 }),
  lossy('wav mp3', 'wav', MP3, { sampleRateHz: 44_100, minSnrDb: 50 }),
];

/** Duration of the test voice. */
const SECONDS = 3.217;

const source = (sampleRateHz: number, channels: number): Uint8Array => {
  const voice = babble(SECONDS, sampleRateHz);
  const frames = Float32Array.from({ length: voice.length * channels }, (_, at) => voice[Math.floor(at / channels)]!);
  return writeWav(pcm16Bytes(frames), { sampleRateHz, channels });
};

for (const variant of [...VARIANTS, ...OTHER_VARIANTS]) {
  const { name, ending, options, sampleRateHz = 16_000, channels = 1, minSnrDb, isTrimmed } = variant;
  const formats = OTHER_VARIANTS.includes(variant) ? 'all' : 'contract';
  test(`${name} matches ffmpeg`, { skip: withoutFfmpeg }, async () => {
    const file = encode(source(sampleRateHz, channels), ending, options);
    const expected = decode(file, ending, channels);
    const { samples } = await decodeBytes(file, { formats });
    const tolerance = Math.ceil(16_000 / sampleRateHz);
    const length = isTrimmed
      ? Math.round((Math.round(SECONDS * sampleRateHz) / sampleRateHz) * 16_000)
      : expected.length;
    assert.ok(Math.abs(samples.length - length) <= tolerance, `${samples.length} samples, not ${length}`);
    const agreement = snrDb(expected, samples);
    assert.ok(agreement >= minSnrDb, `agrees only to ${agreement.toFixed(1)} dB`);
  });
}

// No available encoder writes intensity stereo. A file whose right channel is silent in the high bands can be declared
// as such: its scale factors then become directions, for ffmpeg as well.
for (const sampleRateHz of [44_100, 22_050]) {
  for (const isMidSide of [false, true]) {
    const name = `mp3 intensity stereo at ${sampleRateHz} Hz${isMidSide ? ', with mid and side' : ''}`;
    test(`${name} matches ffmpeg`, { skip: withoutFfmpeg }, async () => {
      // A steady tone, so that mid and side are never in anti-phase: the mixdown would invert one.
      const voice = tone(2000, SECONDS, sampleRateHz).map((sample, at) => sample / 2 + Math.sin(at / 20) / 4);
      const low = tone(250, SECONDS, sampleRateHz, 0.1);
      const frames = Float32Array.from({ length: voice.length * 2 }, (_, at) => (at % 2 ? low : voice)[at >> 1]!);
      const wav = writeWav(pcm16Bytes(frames), { sampleRateHz, channels: 2 });
      const options = ['-c:a', 'libmp3lame', '-b:a', '96k', '-joint_stereo', '0', '-id3v2_version', '0'];
      const file = withJointStereo(encode(wav, 'mp3', options), { isMidSide, isIntensity: true });
      const expected = decode(file, 'mp3', 2);
      const { samples } = await decodeBytes(file, { formats: 'all' });
      const agreement = snrDb(expected, samples);
      assert.ok(agreement >= 40, `agrees only to ${agreement.toFixed(1)} dB`);
    });
  }
}
