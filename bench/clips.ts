// Recorded speech for the benchmarks: the recordings beside the repository, otherwise one public-domain clip.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createUploadDecoding, joinSamples } from '@faircopy/server/audio';
import { speechClip } from '#test-data';
import { readSamples } from './eval/audio.ts';
import type { ManifestRow } from './eval/score.ts';
import { sum } from './statistics.ts';

export const RATE_HZ = 16_000;
const EVAL = new URL('../../../shared/eval', import.meta.url).pathname;
const OWN_CLIP_TEXT =
  'and so my fellow americans ask not what your country can do for you ask what you can do for your country';

export const hasRecordings = existsSync(join(EVAL, 'en', 'manifest.jsonl'));

export interface Clip {
  /** Folder and file; unique within a run. */
  readonly name: string;
  readonly language: string;
  readonly samples: Float32Array;
  /** The reference text; null if the clip was cut in the middle of a sentence. */
  readonly text: string | null;
}

export const secondsOf = ({ samples }: Pick<Clip, 'samples'>): number => samples.length / RATE_HZ;

/** Sentences of folders such as `en/vctk`, in manifest order, up to `secondsMax` per folder. */
export const readSentences = async (folders: readonly string[], secondsMax: number): Promise<Clip[]> => {
  const decoding = createUploadDecoding();
  try {
    if (!hasRecordings) {
      const samples = joinSamples(await readSamples(await speechClip(), decoding));
      return [{ name: 'own/0', language: 'en', samples, text: OWN_CLIP_TEXT }];
    }
    const found: Clip[] = [];
    for (const folder of folders) {
      const [set = '', part = ''] = folder.split('/');
      const lines = (await readFile(join(EVAL, set, 'manifest.jsonl'), 'utf8')).trim().split('\n');
      let seconds = 0;
      for (const row of lines.map((line) => JSON.parse(line) as ManifestRow)) {
        if (!row.file.startsWith(`${part}/`) || !row.text || row.score === false || seconds >= secondsMax) continue;
        const samples = joinSamples(await readSamples(join(EVAL, set, row.file), decoding));
        found.push({ name: `${set}/${row.file}`, language: row.language ?? 'en', samples, text: row.text });
        seconds += samples.length / RATE_HZ;
      }
    }
    return found;
  } finally {
    await decoding.close();
  }
};

/** All sentences of a set, such as `en`. */
export const readSet = async (set: string): Promise<Clip[]> => {
  const lines = (await readFile(join(EVAL, set, 'manifest.jsonl'), 'utf8')).trim().split('\n');
  const parts = new Set(lines.map((line) => (JSON.parse(line) as ManifestRow).file.split('/')[0]!));
  return readSentences(
    [...parts].map((part) => `${set}/${part}`),
    Number.POSITIVE_INFINITY,
  );
};

/** Clips of exactly this length. Each begins at a different place in the speech, so that no two are the same. */
export const clipsOfLength = (sentences: readonly Clip[], seconds: number, count: number): Clip[] =>
  Array.from({ length: count }, (_, nth) => {
    const first = Math.floor((nth * sentences.length) / count);
    const pieces: Float32Array[] = [];
    let missing = seconds * RATE_HZ;
    for (let at = first; missing > 0; at++) {
      const piece = sentences[at % sentences.length]!.samples.subarray(0, missing);
      pieces.push(piece);
      missing -= piece.length;
    }
    const { language } = sentences[0]!;
    return { name: `${language} ${seconds} s, ${nth}`, language, samples: joinSamples(pieces), text: null };
  });

const folderOf = ({ name }: Clip): string => name.slice(0, name.lastIndexOf('/'));

/** Joins as many whole sentences of a folder as fit, which keeps the reference text known. */
export const packedClips = (sentences: readonly Clip[], secondsMax: number): Clip[] => {
  const groups: Clip[][] = [];
  for (const sentence of sentences) {
    const group = groups.at(-1);
    const fits = group && sum([...group, sentence].map(secondsOf)) <= secondsMax;
    if (group && fits && folderOf(group[0]!) === folderOf(sentence)) group.push(sentence);
    else groups.push([sentence]);
  }
  return groups.map((group, nth) => ({
    name: `${folderOf(group[0]!)}/≤${secondsMax} s ${nth}`,
    language: group[0]!.language,
    samples: joinSamples(group.map(({ samples }) => samples)),
    text: group.map(({ text }) => text).join(' '),
  }));
};
