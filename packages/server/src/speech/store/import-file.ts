// Imports a model file from disk into the store, for machines that cannot reach its source.
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { moveIntoPlace, sha256OfFile } from './files.ts';
import type { ModelStore } from './store.ts';

/** Returns the id of the model that has a file with these bytes; null when the catalogue has none. */
export const importModelFile = async (store: ModelStore, path: string, signal: AbortSignal): Promise<string | null> => {
  const sha256 = await sha256OfFile(path, signal);
  for (const model of store.catalogue) {
    const file = model.files.find((candidate) => candidate.sha256 === sha256);
    if (!file) continue;
    const folder = store.folderOf(model.id);
    const draft = join(folder, `${file.name}.${process.pid}.draft`);
    await mkdir(folder, { recursive: true });
    try {
      await copyFile(path, draft);
      await moveIntoPlace(draft, join(folder, file.name));
    } finally {
      await rm(draft, { force: true });
    }
    return model.id;
  }
  return null;
};
