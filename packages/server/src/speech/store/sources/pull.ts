// Pulls the missing and damaged files of a model from its sources; only files that match their pin enter the store.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogueFile } from '../catalogue.ts';
import { isFull, ModelStoreFault } from '../fault.ts';
import { moveIntoPlace } from '../files.ts';
import { type Care, checkFile, type ModelFiles, pinOf } from '../model-files.ts';
import { type ModelRecord, readRecord } from '../record.ts';
import type { FetchContext, ModelSource } from './source.ts';

/** Tries the sources in order. Throws a ModelStoreFault with the reasons when no source has a file. */
export const pullModel = async (
  files: ModelFiles,
  sources: readonly ModelSource[],
  care: Care,
  context: FetchContext,
): Promise<void> => {
  const { model } = files;
  // Checked again under the lock: another process may have pulled the files.
  const { problems } = await files.inspect(care);
  if (problems.length === 0) return;
  let wanted = model.files.filter(({ name }) => problems.some(({ file }) => file === name));
  const reasons = new Map<string, string[]>();
  for (const source of sources) {
    const offered = wanted.filter((file) => source.offers(model, file));
    if (offered.length === 0) continue;
    const arrived = await fetchFrom(source, files, offered, await readRecord(files.folder), reasons, context);
    wanted = wanted.filter((file) => !arrived.has(file));
  }
  await files.inspect('quick');
  if (wanted.length === 0) return;
  throw new ModelStoreFault(
    wanted.map(({ name }) => ({
      weightsId: model.id,
      file: name,
      problem: problems.find(({ file }) => file === name)?.problem ?? 'missing',
      reasons: reasons.get(name) ?? ['no source offers it'],
    })),
  );
};

/** Returns the files that arrived and match their pin; adds a reason for each of the others. */
const fetchFrom = async (
  source: ModelSource,
  { model, folder }: ModelFiles,
  files: readonly CatalogueFile[],
  record: ModelRecord,
  reasons: Map<string, string[]>,
  context: FetchContext,
): Promise<ReadonlySet<CatalogueFile>> => {
  const staging = join(context.downloadFolder, `staging-${model.id}`);
  await mkdir(staging, { recursive: true });
  let failure: unknown;
  try {
    await source.fetch(model, files, staging, context);
  } catch (cause) {
    context.signal.throwIfAborted();
    if (isFull(cause)) {
      await rm(staging, { recursive: true, force: true });
      throw cause;
    }
    failure = cause;
  }
  const arrived = new Set<CatalogueFile>();
  for (const file of files) {
    const found = await checkFile(join(staging, file.name), pinOf(file, record), undefined, 'thorough');
    if (typeof found !== 'string') {
      await moveIntoPlace(join(staging, file.name), join(folder, file.name));
      arrived.add(file);
      continue;
    }
    const why =
      failure instanceof Error ? failure.message : found === 'missing' ? 'not found' : 'the checksum does not match';
    reasons.set(file.name, [...(reasons.get(file.name) ?? []), `${source.name}: ${why}`]);
  }
  await rm(staging, { recursive: true, force: true });
  return arrived;
};
