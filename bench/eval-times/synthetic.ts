// Synthetic speech with known word times: espeak-ng speaks each word separately, and the words are joined with gaps.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { UploadDecoding } from '@faircopy/server/audio';
import { decodeAudio, type Recording } from '../eval-speakers/recordings.ts';

const RATE_HZ = 16_000;
const VOICES = ['en-us', 'en-gb+f3', 'en-us+m3'];
const WORDS_PER_MINUTE = '140';
const GAPS_SECONDS = [0.03, 0.08, 0.05, 0.12];
const SENTENCE_GAP_SECONDS = 0.8;
/** A word begins and ends where its level passes this share of its peak. */
const SOUND_SHARE = 0.03;

const SENTENCES = [
  'please bring the yellow paper from the kitchen table before dinner',
  'seven people waited under the wooden bridge until the morning train arrived',
  'my brother never finished painting the garden window last summer',
  'today the little river carried broken branches toward the open water',
  'nobody remembered where the doctor had left his heavy leather jacket',
  'the second question was harder than every other problem on the list',
];

const run = promisify(execFile);

const trimmed = (samples: Float32Array): Float32Array => {
  const floor = SOUND_SHARE * samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  const first = samples.findIndex((sample) => Math.abs(sample) > floor);
  const last = samples.findLastIndex((sample) => Math.abs(sample) > floor);
  return samples.slice(first, last + 1);
};

const speak = async (word: string, voice: string, decoding: UploadDecoding): Promise<Float32Array> => {
  const args = ['-v', voice, '-s', WORDS_PER_MINUTE, '--stdout', word];
  const { stdout } = await run('espeak-ng', args, { encoding: 'buffer' });
  return trimmed(await decodeAudio(stdout, decoding));
};

/** One recording per voice. */
export const syntheticRecordings = async (decoding: UploadDecoding): Promise<Recording[]> => {
  const recordings: Recording[] = [];
  for (const voice of VOICES) {
    const spoken: { readonly word: string; readonly at: number; readonly samples: Float32Array }[] = [];
    let at = Math.round(SENTENCE_GAP_SECONDS * RATE_HZ);
    for (const sentence of SENTENCES) {
      for (const [nth, word] of sentence.split(' ').entries()) {
        const samples = await speak(word, voice, decoding);
        spoken.push({ word, at, samples });
        at += samples.length + Math.round(GAPS_SECONDS[nth % GAPS_SECONDS.length]! * RATE_HZ);
      }
      at += Math.round(SENTENCE_GAP_SECONDS * RATE_HZ);
    }
    const samples = new Float32Array(at);
    for (const word of spoken) samples.set(word.samples, word.at);
    const words = spoken.map(({ word, at: from, samples: { length } }) => ({
      speaker: voice,
      word,
      start: from / RATE_HZ,
      end: (from + length) / RATE_HZ,
    }));
    recordings.push({ name: `synthetic ${voice}`, part: 'synthetic', samples, turns: [], words });
  }
  return recordings;
};
