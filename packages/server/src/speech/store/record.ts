// The record of a model's verified files, so that a start need not hash hundreds of megabytes again.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeJsonAtomically } from './files.ts';

const fileRecord = z.object({ bytes: z.number(), mtimeMs: z.number(), sha256: z.string() });
const modelRecord = z.object({
  /** Checksums that the first pull recorded, of files without one in the catalogue. */
  pins: z.record(z.string(), z.object({ bytes: z.number(), sha256: z.string() })).default({}),
  files: z.record(z.string(), fileRecord),
  /** Compiled files by kind of compilation: other machines and older versions may use another kind. */
  prepared: z.record(z.string(), z.record(z.string(), fileRecord)),
});

export type FileRecord = z.infer<typeof fileRecord>;
export type ModelRecord = z.infer<typeof modelRecord>;

const recordPath = (modelFolder: string): string => join(modelFolder, 'record.json');

/** An unreadable record counts as empty: the files are hashed again. */
export const readRecord = async (modelFolder: string): Promise<ModelRecord> => {
  try {
    return modelRecord.parse(JSON.parse(await readFile(recordPath(modelFolder), 'utf8')));
  } catch {
    return { pins: {}, files: {}, prepared: {} };
  }
};

const READ_ONLY = new Set(['EROFS', 'EACCES', 'EPERM']);

/** A read-only store works without a record; checks are slower. */
export const writeRecord = async (modelFolder: string, record: ModelRecord): Promise<void> => {
  try {
    await writeJsonAtomically(recordPath(modelFolder), record);
  } catch (cause) {
    if (!READ_ONLY.has((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
  }
};
