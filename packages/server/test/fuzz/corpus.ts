// The seed files of the fuzzer: files written by the test writers, and small encoded files of synthetic sound.
import { readFileSync } from 'node:fs';
import { opusPacketFrames } from '../../src/audio/codecs/opus-packet.ts';
import { AAC_SILENCE, aacConfig, adtsFrame, heAacConfig } from '../audio/aac-writer.ts';
import { writeAiff } from '../audio/aiff-writer.ts';
import { cafChunk, cafData, cafPackets, cafStart } from '../audio/caf-writer.ts';
import { flacFrame16, nativeFlac } from '../audio/flac-writer.ts';
import { id3Tag, mp3File } from '../audio/mp3-writer.ts';
import { aacEntry, fragmentedFile, mp4File, opusEntry, sampleEntry } from '../audio/mp4-writer.ts';
import { OPUS_NOTHING_120_MS, OPUS_SILENCE_20_MS, opusHead, repeat, writeOggOpus } from '../audio/ogg-writer.ts';
import { ascii, babble, concat, pcm16Bytes, wavChunk, writeWav } from '../audio/wav-writer.ts';
import {
  blockGroup,
  cluster,
  ebmlHeader,
  liveCluster,
  liveSegment,
  segment,
  simpleBlock,
  trackEntry,
  tracks,
} from '../audio/webm-writer.ts';

export interface Specimen {
  readonly name: string;
  readonly container: 'wav' | 'ogg' | 'webm' | 'mp3' | 'adts' | 'mp4' | 'flac' | 'aiff' | 'caf';
  readonly bytes: Uint8Array;
}

/** The stored files stay in the source folder; the compiled fuzzer runs from dist/. */
const stored = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../test/fuzz/corpus/${name}`, import.meta.url)));

const voice = babble(0.2, 8000);
const noise = (bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, at) => (at * 7919 + (at >> 3)) & 0xff);
const wav = (name: string, bytes: Uint8Array): Specimen => ({ name, container: 'wav', bytes });
const ogg = (name: string, bytes: Uint8Array): Specimen => ({ name, container: 'ogg', bytes });
const webm = (name: string, bytes: Uint8Array): Specimen => ({ name, container: 'webm', bytes });
const mp3 = (name: string, bytes: Uint8Array): Specimen => ({ name, container: 'mp3', bytes });
const adts = (name: string, bytes: Uint8Array): Specimen => ({ name, container: 'adts', bytes });
const mp4 = (name: string, bytes: Uint8Array): Specimen => ({ name, container: 'mp4', bytes });
const flac = (name: string, bytes: Uint8Array): Specimen => ({ name, container: 'flac', bytes });
const caf = (name: string, bytes: Uint8Array): Specimen => ({ name, container: 'caf', bytes });
const aiff = (name: string, bytes: Uint8Array): Specimen => ({ name, container: 'aiff', bytes });

/** The formats of the contract, then all others. */
export const corpus = (): readonly Specimen[] => [...contractCorpus(), ...otherCorpus()];

/** The files of each container, truncated to `bytesMax`. */
export const seedsByContainer = (bytesMax: number): ReadonlyMap<string, readonly Uint8Array[]> => {
  const seeds = new Map<string, Uint8Array[]>();
  for (const { container, bytes } of corpus())
    seeds.set(container, [...(seeds.get(container) ?? []), bytes.subarray(0, bytesMax)]);
  return seeds;
};

const otherCorpus = (): readonly Specimen[] => {
  const opus = {
    entry: opusEntry(312),
    times: [
      [24, 960],
      [1, 500],
    ],
    edits: [[490, 312]],
  } as const;
  const packets = repeat(OPUS_SILENCE_20_MS, 25);
  const samples = Int16Array.from(voice, (sample) => sample * 32_767);
  const flacFrames = [0, 1].map((number) => flacFrame16([samples.subarray(number * 800, (number + 1) * 800)], number));
  const pcm = { entry: sampleEntry('sowt', { sampleRateHz: 8000 }), ticksPerSecond: 8000 };
  return [
    mp3('voice', stored('voice.mp3')),
    mp3('voice, joint stereo', stored('voice-stereo.mp3')),
    mp3('voice, variable rate', stored('voice-vbr.mp3')),
    mp3('silence behind a tag', concat(id3Tag(noise(50)), mp3File(12, { delay: 576, padding: 900 }))),
    adts('voice', stored('voice.aac')),
    adts('silence', concat(...repeat(adtsFrame(AAC_SILENCE, 8000), 12))),
    mp4('AAC voice, stereo', stored('voice-stereo.m4a')),
    mp4('AAC voice in fragments', stored('voice-fragments.mp4')),
    mp4('ALAC voice', stored('voice-alac.m4a')),
    mp4(
      'HE-AAC silence',
      mp4File({ entry: aacEntry(heAacConfig(24_000, 1), 48_000), ticksPerSecond: 24_000 }, repeat(AAC_SILENCE, 9)),
    ),
    mp4('Opus', mp4File(opus, packets)),
    mp4('Opus, index at the end', mp4File(opus, packets, { indexAt: 'end' })),
    mp4(
      'Opus in fragments',
      fragmentedFile(opus, repeat({ packets: packets.slice(0, 8), ticks: repeat(960, 8) }, 3), 960),
    ),
    mp4('PCM', mp4File({ ...pcm, constantSize: [2, 800] }, [noise(1600)])),
    flac('voice', stored('voice.flac')),
    flac('uncompressed samples', nativeFlac(8000, 1, flacFrames)),
    aiff('pcm16', writeAiff(pcm16Bytes(voice), { sampleRateHz: 8000, before: [wavChunk('ANNO', noise(31), true)] })),
    aiff('float', writeAiff(noise(4000), { coding: 'fl32', bits: 32 })),
    caf('PCM', concat(cafStart({ format: 'lpcm', bits: 16, sampleRateHz: 8000 }), cafData(noise(1600)))),
    caf(
      'AAC silence',
      concat(
        cafStart({ format: 'aac ' }),
        cafChunk('kuki', aacConfig(16_000, 1)),
        cafData(concat(...repeat(AAC_SILENCE, 9))),
        cafPackets(repeat(AAC_SILENCE, 9), 1024, 500),
      ),
    ),
    webm('AAC voice', stored('voice-aac.mkv')),
    wav('MP3', writeWav(mp3File(12), { formatTag: 0x55, bits: 0, blockBytes: 1, sampleRateHz: 48_000 })),
  ];
};

const contractCorpus = (): readonly Specimen[] => {
  const opusTrack = trackEntry({ codec: 'A_OPUS', codecPrivate: opusHead(), codecDelayNs: 6_500_000 });
  const block = simpleBlock([OPUS_SILENCE_20_MS]);
  const voiceOpus = stored('voice-opus.ogg');
  const voiceVorbis = stored('voice-vorbis.ogg');
  const extensible = concat(
    Uint8Array.of(22, 0, 16, 0, 3, 0, 0, 0, 1, 0),
    ascii('\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71'),
  );
  return [
    wav('pcm16', writeWav(pcm16Bytes(voice), { sampleRateHz: 8000, before: [wavChunk('LIST', noise(31))] })),
    wav(
      'pcm16 stereo, extensible',
      writeWav(pcm16Bytes(voice), { formatTag: 0xfffe, channels: 2, formatExtra: extensible }),
    ),
    wav('pcm24 at 44.1 kHz', writeWav(noise(3000), { bits: 24, sampleRateHz: 44_100 })),
    wav('float64', writeWav(noise(4000), { formatTag: 3, bits: 64 })),
    wav(
      'A-law, unknown size',
      writeWav(noise(900), { formatTag: 6, bits: 8, sampleRateHz: 8000, declaredDataBytes: 0 }),
    ),
    wav('IMA ADPCM', writeWav(noise(2048), { formatTag: 0x11, bits: 4, blockBytes: 256, channels: 2 })),
    wav('MS ADPCM', writeWav(noise(2048), { formatTag: 2, bits: 4, blockBytes: 256 })),
    wav('RF64', writeWav(noise(2000), { riffId: 'RF64', channels: 6 })),
    wav('RIFX', writeWav(noise(2000), { riffId: 'RIFX', sampleRateHz: 11_025 })),
    ogg('Opus voice', voiceOpus),
    ogg('Vorbis voice', voiceVorbis),
    ogg('FLAC voice', stored('voice-flac.ogg')),
    ogg('Opus silence, stereo', writeOggOpus(repeat(OPUS_SILENCE_20_MS, 40), opusPacketFrames, { channels: 2 })),
    ogg('Opus, long packets', writeOggOpus(repeat(OPUS_NOTHING_120_MS, 40), opusPacketFrames, { packetsPerPage: 3 })),
    ogg('a chain of Vorbis and Opus', concat(voiceVorbis, voiceOpus)),
    webm('Opus voice', stored('voice-opus.webm')),
    webm(
      'Opus, live, twice',
      concat(...repeat(concat(ebmlHeader(), liveSegment(tracks(opusTrack), liveCluster(...repeat(block, 20)))), 2)),
    ),
    webm(
      'Opus, laced in every way',
      concat(
        ebmlHeader(),
        segment(
          tracks(trackEntry({ number: 2, type: 1, codec: 'V_VP8' }), opusTrack),
          cluster(
            simpleBlock(repeat(OPUS_SILENCE_20_MS, 3), 'xiph'),
            simpleBlock(repeat(OPUS_SILENCE_20_MS, 3), 'ebml'),
            simpleBlock(repeat(OPUS_SILENCE_20_MS, 3), 'fixed'),
            blockGroup([OPUS_SILENCE_20_MS], 5_000_000),
          ),
        ),
      ),
    ),
    webm('Vorbis', vorbisInWebm(voiceVorbis)),
    webm(
      'float PCM',
      concat(
        ebmlHeader(),
        segment(
          tracks(trackEntry({ codec: 'A_PCM/FLOAT/IEEE', bitDepth: 32, channels: 2, sampleRateHz: 44_100 })),
          cluster(simpleBlock([noise(4000)]), simpleBlock([noise(808)])),
        ),
      ),
    ),
  ];
};

/** Remuxes a small Ogg Vorbis file into WebM. */
const vorbisInWebm = (file: Uint8Array): Uint8Array => {
  const packets: Uint8Array[] = [];
  let open: Uint8Array = new Uint8Array(0);
  for (let at = 0; at < file.length; ) {
    const lacing = file.subarray(at + 27, at + 27 + file[at + 26]!);
    at += 27 + lacing.length;
    for (const length of lacing) {
      open = concat(open, file.subarray(at, at + length));
      at += length;
      if (length === 255) continue;
      packets.push(open);
      open = new Uint8Array(0);
    }
  }
  const [identification, comment, setup, ...audio] = packets;
  if (!identification || !comment || !setup) throw new Error('not a Vorbis file');
  const sizes = Uint8Array.of(
    2,
    identification.length,
    ...Array(Math.floor(comment.length / 255)).fill(255),
    comment.length % 255,
  );
  const track = trackEntry({
    codec: 'A_VORBIS',
    codecPrivate: concat(sizes, identification, comment, setup),
    sampleRateHz: 8000,
  });
  return concat(ebmlHeader(), segment(tracks(track), cluster(...audio.map((packet) => simpleBlock([packet])))));
};
