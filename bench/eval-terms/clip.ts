// A recording with its reference and a list of terms.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface Clip {
  readonly path: string;
  readonly text: string;
  /** The words of the list that are said in the recording. */
  readonly rare: readonly string[];
  readonly list: readonly string[];
}

/** Recordings without speech, each with the list of another clip. */
export const silentClips = async (folder: string, others: readonly Clip[]): Promise<Clip[]> =>
  (await readdir(folder)).sort().map((name, nth) => ({
    path: join(folder, name),
    text: '',
    rare: [],
    list: others[nth % others.length]!.list,
  }));
