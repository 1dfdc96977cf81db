// Which recordings to transcribe, and where each transcript is written.
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import type { TranscriptFormat } from './transcript-format.ts';

/** Recordings in a folder, by extension. Files named as arguments may have any. */
const RECORDING = /\.(wav|wave|ogg|oga|opus|webm|mp3|mpga|mpeg|m4a|m4b|mp4|mov|3gp|aac|flac|aiff?|aifc)$/i;

export interface PlannedTranscript {
  readonly recording: string;
  /** Null for standard output. */
  readonly output: string | null;
}

interface Found {
  readonly recording: string;
  /** Path within the folder, or the name of the file. */
  readonly name: string;
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
    .filter((entry) => entry.isFile() && RECORDING.test(entry.name) && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((recording) => ({ recording, name: relative(folder, recording) }));
};

export const planTranscripts = async (
  paths: readonly string[],
  output: string | undefined,
  format: TranscriptFormat,
): Promise<PlannedTranscript[]> => {
  const found: Found[] = [];
  let hasFolder = false;
  for (const path of paths) {
    if (path !== '-' && (await isFolder(path))) {
      hasFolder = true;
      found.push(...(await recordingsIn(path)));
    } else found.push({ recording: path, name: path === '-' ? 'audio' : basename(path) });
  }
  if (output === undefined) return found.map(({ recording }) => ({ recording, output: null }));
  const intoFolder = hasFolder || found.length > 1 || output.endsWith(sep) || (await isFolder(output));
  if (!intoFolder) return found.map(({ recording }) => ({ recording, output }));
  const taken = new Set<string>();
  return found.map(({ recording, name }) => {
    const plain = name.slice(0, name.length - extname(name).length);
    // Recordings that differ only in their extension keep it.
    const chosen = taken.has(plain) ? name : plain;
    taken.add(chosen);
    return { recording, output: join(output, `${chosen}.${format}`) };
  });
};

/** Whether the transcript is newer than the recording. */
export const isUpToDate = async ({ recording, output }: PlannedTranscript): Promise<boolean> => {
  if (output === null || recording === '-') return false;
  try {
    const [source, made] = await Promise.all([stat(recording), stat(output)]);
    return made.isFile() && made.mtimeMs >= source.mtimeMs;
  } catch {
    return false;
  }
};

/** Atomic: an interrupted run leaves no partial transcript. */
export const writeTranscript = async (output: string, text: string): Promise<void> => {
  await mkdir(dirname(output), { recursive: true });
  const unfinished = `${output}.${process.pid}.part`;
  try {
    await writeFile(unfinished, text);
    await rename(unfinished, output);
  } finally {
    await rm(unfinished, { force: true });
  }
};
