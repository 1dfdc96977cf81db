// The log of a transcript folder: the source of each transcript. JSON lines; the last one per output counts.
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeTranscript } from './transcript-files.ts';

export const LOG_FILE = '.faircopy-transcripts.jsonl';

/** started: the name is reserved, and the output may exist. released: it was never written, so the name is free. */
const STATES = ['started', 'written', 'released'] as const;

const transcriptRecord = z.object({
  /** Name of the transcript. */
  output: z.string(),
  recording: z.string(),
  bytes: z.number(),
  modified_ms: z.number(),
  /** Only of an object in a bucket. */
  etag: z.string().optional(),
  sha256: z.string(),
  state: z.enum(STATES),
});
export type TranscriptRecord = z.infer<typeof transcriptRecord>;

export const parseRecord = (line: string): TranscriptRecord | null => {
  try {
    return transcriptRecord.parse(JSON.parse(line));
  } catch {
    return null;
  }
};

/** Not one of the system's codes, so that the whole message is printed. */
const UNREADABLE = 'LOG_UNREADABLE';

/** Empty if there is none. One that exists but cannot be read must not count as empty: it would be overwritten. */
const textOf = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    const why = `The log of transcripts ${path} cannot be read: ${message}`;
    throw Object.assign(new Error(why, { cause }), { code: UNREADABLE });
  }
};

/** Partial lines are ignored. */
export const readLog = async (folder: string): Promise<Map<string, TranscriptRecord>> => {
  const lines = (await textOf(join(folder, LOG_FILE))).split('\n');
  const records = new Map<string, TranscriptRecord>();
  for (const line of lines) {
    const record = parseRecord(line);
    if (record !== null) records.set(record.output, record);
  }
  for (const { output, state } of [...records.values()]) if (state === 'released') records.delete(output);
  return records;
};

/** Durable when it resolves. The first line break ends a partial line that a killed process may have left. */
export const appendToLog = async (folder: string, record: TranscriptRecord): Promise<void> => {
  const file = await open(join(folder, LOG_FILE), 'a', 0o666);
  try {
    await file.write(`\n${JSON.stringify(record)}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
};

/** Drops records that were replaced by later ones. No other process may write to the log meanwhile. */
export const compactLog = (folder: string, records: Iterable<TranscriptRecord>): Promise<void> =>
  writeTranscript(join(folder, LOG_FILE), [...records].map((record) => `${JSON.stringify(record)}\n`).join(''));
