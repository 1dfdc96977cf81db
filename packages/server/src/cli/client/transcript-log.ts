// The log of a folder with transcripts: which recording each came from. Lines of JSON; the last one of an output counts.
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeTranscript } from './transcript-files.ts';

export const LOG_FILE = '.faircopy-transcripts.jsonl';

/** started: the output is reserved, and may be there already. released: it never was, so the name is free again. */
const STATES = ['started', 'written', 'released'] as const;

export const transcriptRecord = z.object({
  /** Name of the transcript. */
  output: z.string(),
  recording: z.string(),
  bytes: z.number(),
  modified_ms: z.number(),
  /** Of an object in a bucket. */
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

/** A log that cannot be read counts as empty: its transcripts are not touched. A torn line is left out. */
export const readLog = async (folder: string): Promise<Map<string, TranscriptRecord>> => {
  const text = await readFile(join(folder, LOG_FILE), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const records = new Map<string, TranscriptRecord>();
  for (const line of lines) {
    const record = parseRecord(line);
    if (record !== null) records.set(record.output, record);
  }
  for (const { output, state } of [...records.values()]) if (state === 'released') records.delete(output);
  return records;
};

/** Durable when it resolves. The first line break ends a line that a killed process left unfinished. */
export const appendToLog = async (folder: string, record: TranscriptRecord): Promise<void> => {
  const file = await open(join(folder, LOG_FILE), 'a', 0o666);
  try {
    await file.write(`\n${JSON.stringify(record)}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
};

/** Leaves out what later lines replaced. Nobody else may write to the log meanwhile. */
export const compactLog = (folder: string, records: Iterable<TranscriptRecord>): Promise<void> =>
  writeTranscript(join(folder, LOG_FILE), [...records].map((record) => `${JSON.stringify(record)}\n`).join(''));
