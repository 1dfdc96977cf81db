// What the store remembers of a model's files, so that a start need not read hundreds of megabytes again.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeJsonAtomically } from './files.ts';

const fileRecord = z.object({ bytes: z.number(), mtimeMs: z.number(), sha256: z.string() });
const modelRecord = z.object({
  files: z.record(z.string(), fileRecord),
  /** By the kind of preparation: another machine, or a clone that is not yet upgraded, may use another one. */
  prepared: z.record(z.string(), z.record(z.string(), fileRecord)),
});

export type FileRecord = z.infer<typeof fileRecord>;
export type ModelRecord = z.infer<typeof modelRecord>;

const recordPath = (modelFolder: string): string => join(modelFolder, 'record.json');

/** An unreadable record counts as none: the files are then hashed again. */
export const readRecord = async (modelFolder: string): Promise<ModelRecord> => {
  try {
    return modelRecord.parse(JSON.parse(await readFile(recordPath(modelFolder), 'utf8')));
  } catch {
    return { files: {}, prepared: {} };
  }
};

const READ_ONLY = new Set(['EROFS', 'EACCES', 'EPERM']);

/** A store on a read-only disk works without the record; it is only slower to check. */
export const writeRecord = async (modelFolder: string, record: ModelRecord): Promise<void> => {
  try {
    await writeJsonAtomically(recordPath(modelFolder), record);
  } catch (cause) {
    if (!READ_ONLY.has((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
  }
};
