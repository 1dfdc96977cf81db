// The recordings of a speaker set: audio, reference turns and, if there are any, reference words.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { joinSamples, type UploadDecoding } from '@faircopy/server/audio';
import { readRttm, readWords, type Turn, type Word } from './rttm.ts';

export interface Recording {
  readonly name: string;
  /** The part of the set: the leading letters of the name. */
  readonly part: string;
  readonly samples: Float32Array;
  readonly turns: readonly Turn[];
  readonly words: readonly Word[];
}

const AUDIO = ['.flac', '.ogg', '.wav'];
const DURATION_SECONDS_MAX = 24 * 60 * 60;

export const recordingNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder))
    .filter((name) => name.endsWith('.rttm'))
    .map((name) => name.slice(0, -'.rttm'.length))
    .sort();

export const readRecording = async (folder: string, name: string, decoding: UploadDecoding): Promise<Recording> => {
  const audio = AUDIO.map((extension) => join(folder, name + extension)).find((path) => existsSync(path));
  if (audio === undefined) throw new Error(`${name}.rttm has no audio beside it.`);
  const words = join(folder, `${name}.words.jsonl`);
  return {
    name,
    part: /^[a-z]+/i.exec(name)?.[0] ?? '',
    samples: await decodeAudio(await readFile(audio), decoding),
    turns: await readRttm(join(folder, `${name}.rttm`)),
    words: existsSync(words) ? await readWords(words) : [],
  };
};

export const decodeAudio = async (bytes: Buffer, decoding: UploadDecoding): Promise<Float32Array> => {
  const decoder = decoding.open({ maxDurationSeconds: DURATION_SECONDS_MAX, formats: 'all' });
  const written = decoder.write(bytes).then(() => decoder.end());
  const pieces: Float32Array[] = [];
  for await (const samples of decoder) pieces.push(samples);
  await written;
  return joinSamples(pieces);
};
