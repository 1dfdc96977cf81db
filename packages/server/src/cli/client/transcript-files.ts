// Plans which recordings to transcribe and where each transcript is written. No two share a file.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import type { TranscriptFormat } from './transcript-format.ts';

/** Extensions of recordings in a folder. Files named as arguments may have any extension. */
const RECORDING = /\.(wav|wave|ogg|oga|opus|webm|mp3|mpga|mpeg|m4a|m4b|mp4|mov|3gp|aac|flac|aiff?|aifc|caf|mka|mkv)$/i;

export const isRecordingName = (name: string): boolean => RECORDING.test(name) && !name.startsWith('.');

export interface PlannedTranscript {
  readonly recording: string;
  /** Null for standard output. */
  readonly output: string | null;
}

interface Found {
  readonly recording: string;
  /** Path within the folder, or the name of the file. */
  readonly name: string;
  /** Name of the folder it is in. */
  readonly folder: string;
}

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};

const recordingsIn = async (folder: string): Promise<Found[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && isRecordingName(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((recording) => ({ recording, name: relative(folder, recording), folder: basename(resolve(folder)) }));
};

export const planTranscripts = async (
  paths: readonly string[],
  output: string | undefined,
  format: TranscriptFormat,
): Promise<PlannedTranscript[]> => {
  const all: Found[] = [];
  let hasFolder = false;
  for (const path of paths) {
    if (path !== '-' && (await isFolder(path))) {
      hasFolder = true;
      all.push(...(await recordingsIn(path)));
    } else {
      const name = path === '-' ? 'audio' : basename(path);
      all.push({ recording: path, name, folder: basename(dirname(resolve(path))) });
    }
  }
  const found = [...new Map(all.map((one) => [resolve(one.recording), one])).values()];
  if (output === undefined) return found.map(({ recording }) => ({ recording, output: null }));
  const intoFolder = hasFolder || found.length > 1 || output.endsWith(sep) || (await isFolder(output));
  if (!intoFolder) return found.map(({ recording }) => ({ recording, output }));
  const names = distinctNames(found);
  return found.map((one) => ({ recording: one.recording, output: join(output, `${names.get(one)}.${format}`) }));
};

/** Possible names, shortest first. Recordings that would share a name all get the next longer one. */
const NAMES: readonly ((found: Found) => string)[] = [
  ({ name }) => name.slice(0, name.length - extname(name).length),
  ({ name }) => name,
  ({ folder, name }) => join(folder, name),
];

const countsOf = (names: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

const distinctNames = (found: readonly Found[]): ReadonlyMap<Found, string> => {
  const named = new Map<Found, string>();
  // Some file systems do not distinguish case.
  const taken = new Set<string>();
  const take = (one: Found, name: string): void => {
    named.set(one, name);
    taken.add(name.toLowerCase());
  };
  let left = found;
  for (const nameOf of NAMES) {
    const counts = countsOf(left.map((one) => nameOf(one).toLowerCase()));
    const shared: Found[] = [];
    for (const one of left) {
      const name = nameOf(one);
      if (counts.get(name.toLowerCase()) === 1 && !taken.has(name.toLowerCase())) take(one, name);
      else shared.push(one);
    }
    left = shared;
  }
  for (const one of left) {
    let number = 2;
    while (taken.has(`${one.name}-${number}`.toLowerCase())) number += 1;
    take(one, `${one.name}-${number}`);
  }
  return named;
};

/** Temporary files of interrupted writes; the first group is the pid of the process that wrote them. */
export const UNFINISHED = /^\.faircopy-(\d+)-[0-9a-f]{12}\.part$/;

/** Atomic and durable: an interrupted run leaves no partial transcript. */
export const writeTranscript = async (output: string, text: string): Promise<void> => {
  await mkdir(dirname(output), { recursive: true });
  const unfinished = join(dirname(output), `.faircopy-${process.pid}-${randomBytes(6).toString('hex')}.part`);
  try {
    const file = await open(unfinished, 'w', 0o666);
    try {
      await file.writeFile(text);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(unfinished, output);
  } finally {
    await rm(unfinished, { force: true });
  }
};
