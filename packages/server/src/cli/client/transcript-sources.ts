// Records which recording each transcript came from, in the log of the transcript's folder.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type PlannedTranscript, writeTranscript } from './transcript-files.ts';
import { appendToLog, readLog, type TranscriptRecord } from './transcript-log.ts';

type Source = Pick<TranscriptRecord, 'recording' | 'bytes' | 'modified_ms' | 'sha256'>;

export type OutputState = 'absent' | 'up to date' | 'outdated' | 'of another recording';

export class TranscriptSources {
  readonly #byFolder = new Map<string, Promise<Map<string, TranscriptRecord>>>();
  /** Changes are written one after the other. */
  #written: Promise<void> = Promise.resolve();

  /** Rejects if the log cannot be read: what could not be recorded should not be sent and billed. */
  async expect({ recording, output }: PlannedTranscript): Promise<void> {
    if (output !== null && recording !== '-') await this.#recordsIn(dirname(output));
  }

  /** The state of the file to which a transcript would be written. */
  async stateOf({ recording, output }: PlannedTranscript): Promise<OutputState> {
    if (output === null || !(await exists(output))) return 'absent';
    const known = (await this.#recordsIn(dirname(output))).get(basename(output));
    if (known === undefined || recording === '-') return 'of another recording';
    const isNamed = known.recording === resolve(recording);
    const { size, mtimeMs } = await stat(recording);
    // A killed run may have written it.
    if (known.state === 'started' && isNamed) return 'outdated';
    if (isNamed && size === known.bytes && mtimeMs === known.modified_ms) return 'up to date';
    // A copy, or a recording in a folder that was moved, is the same recording.
    if (size === known.bytes && (await sha256Of(recording)) === known.sha256) return 'up to date';
    return isNamed ? 'outdated' : 'of another recording';
  }

  /** Writes the transcript. Its source is logged before, so that a killed run can be continued, and after. */
  async write({ recording, output }: PlannedTranscript, text: string): Promise<void> {
    if (output === null) return;
    const from = recording === '-' ? null : await sourceOf(recording);
    if (from === null) return writeTranscript(output, text);
    const record = { ...from, output: basename(output) };
    await this.#log(dirname(output), { ...record, state: 'started' });
    await writeTranscript(output, text);
    await this.#log(dirname(output), { ...record, state: 'written' });
  }

  async #log(folder: string, record: TranscriptRecord): Promise<void> {
    (await this.#recordsIn(folder)).set(record.output, record);
    const append = async () => {
      await mkdir(folder, { recursive: true });
      await appendToLog(folder, record);
    };
    const written = this.#written.then(append);
    this.#written = written.catch(() => undefined);
    await written;
  }

  #recordsIn(folder: string): Promise<Map<string, TranscriptRecord>> {
    let known = this.#byFolder.get(folder);
    if (known === undefined) {
      known = readLog(folder);
      this.#byFolder.set(folder, known);
    }
    return known;
  }
}

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
