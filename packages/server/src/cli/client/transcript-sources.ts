// Remembers which recording each transcript came from, in a file beside the transcripts.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { type PlannedTranscript, writeTranscript } from './transcript-files.ts';

const FILE_NAME = '.faircopy-transcripts.json';

const source = z.object({ recording: z.string(), bytes: z.number(), modified_ms: z.number(), sha256: z.string() });
type Source = z.infer<typeof source>;
const sources = z.record(z.string(), source);

export type OutputState = 'absent' | 'up to date' | 'outdated' | 'of another recording';

export class TranscriptSources {
  readonly #byFolder = new Map<string, Promise<Map<string, Source>>>();
  /** Changes are written one after the other. */
  #written: Promise<void> = Promise.resolve();

  /** What is known about the file to which a transcript would be written. */
  async stateOf({ recording, output }: PlannedTranscript): Promise<OutputState> {
    if (output === null || !(await exists(output))) return 'absent';
    const known = (await this.#sourcesIn(dirname(output))).get(basename(output));
    if (known === undefined || recording === '-') return 'of another recording';
    const isNamed = known.recording === resolve(recording);
    const { size, mtimeMs } = await stat(recording);
    if (isNamed && size === known.bytes && mtimeMs === known.modified_ms) return 'up to date';
    // A copy, or a recording in a folder that was moved, is the same recording.
    if (size === known.bytes && (await sha256Of(recording)) === known.sha256) return 'up to date';
    return isNamed ? 'outdated' : 'of another recording';
  }

  /** Writes the transcript, then what it came from. */
  async write({ recording, output }: PlannedTranscript, text: string): Promise<void> {
    if (output === null) return;
    const from = recording === '-' ? null : await sourceOf(recording);
    await writeTranscript(output, text);
    if (from === null) return;
    const folder = dirname(output);
    const known = await this.#sourcesIn(folder);
    known.set(basename(output), from);
    this.#written = this.#written.then(() =>
      writeTranscript(join(folder, FILE_NAME), `${JSON.stringify(Object.fromEntries([...known].sort()), null, 2)}\n`),
    );
    await this.#written;
  }

  #sourcesIn(folder: string): Promise<Map<string, Source>> {
    let known = this.#byFolder.get(folder);
    if (known === undefined) {
      known = readSources(folder);
      this.#byFolder.set(folder, known);
    }
    return known;
  }
}

/** Without transcripts that were deleted. A file that cannot be read counts as empty: its transcripts are not touched. */
const readSources = async (folder: string): Promise<Map<string, Source>> => {
  try {
    const all = Object.entries(sources.parse(JSON.parse(await readFile(join(folder, FILE_NAME), 'utf8'))));
    const present = await Promise.all(all.map(([name]) => exists(join(folder, name))));
    return new Map(all.filter((_, index) => present[index]));
  } catch {
    return new Map();
  }
};

const sourceOf = async (recording: string): Promise<Source | null> => {
  const found = await stat(recording);
  if (!found.isFile()) return null;
  return {
    recording: resolve(recording),
    bytes: found.size,
    modified_ms: found.mtimeMs,
    sha256: await sha256Of(recording),
  };
};

const sha256Of = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
