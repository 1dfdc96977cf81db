// The model store: finds, pulls, checks, compiles and removes model files under one folder.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPILED_KIND, compiledFolder } from '../acoustic/compiled-files.ts';
import type { Catalogue, CatalogueFile, CatalogueModel } from './catalogue.ts';
import type { Compile } from './compile.ts';
import {
  type FileProblem,
  isFull,
  isUnwritable,
  type ModelProblem,
  ModelStoreFault,
  UnknownModel,
  UnwritableStore,
} from './fault.ts';
import { moveIntoPlace, sha256OfFile, stampOf } from './files.ts';
import { acquireStoreLock } from './lock.ts';
import { differencesFromRecompiled } from './recompile.ts';
import { type FileRecord, type ModelRecord, readRecord, writeRecord } from './record.ts';
import type { ModelSource } from './source.ts';

export type StoreEvent =
  | { readonly kind: 'progress'; readonly label: string; readonly bytesDone: number; readonly bytesTotal?: number }
  | { readonly kind: 'note'; readonly text: string };

export interface ModelStoreOptions {
  readonly folder: string;
  readonly catalogue: Catalogue;
  /** Tried in this order. */
  readonly sources: readonly ModelSource[];
  readonly compile: Compile;
  /** Models of other families are used as they were published. */
  readonly needsCompiling: (model: CatalogueModel) => boolean;
  readonly report?: (event: StoreEvent) => void;
  /** Chooses the file that is read at a start; from 0 to 1. */
  readonly random?: () => number;
}

/** `quick` trusts size and time of change of files hashed before; `thorough` reads every byte. */
type Care = 'quick' | 'thorough';

/** `unprepared`: the files are there, and the compiled graphs are not. */
type ModelState = 'ready' | 'unprepared' | FileProblem;

interface Inspection {
  readonly problems: readonly ModelProblem[];
  readonly record: ModelRecord;
  readonly isCompiled: boolean;
}

export class ModelStore {
  readonly #options: ModelStoreOptions;

  constructor(options: ModelStoreOptions) {
    this.#options = options;
  }

  get catalogue(): Catalogue {
    return this.#options.catalogue;
  }

  folderOf(weightsId: string): string {
    return join(this.#options.folder, this.model(weightsId).id);
  }

  model(weightsId: string): CatalogueModel {
    const model = this.#options.catalogue.find(({ id }) => id === weightsId);
    if (model) return model;
    throw new UnknownModel(
      weightsId,
      this.#options.catalogue.map(({ id }) => id),
    );
  }

  async state(weightsId: string): Promise<ModelState> {
    const { problems, isCompiled } = await this.#inspect(this.model(weightsId), 'quick');
    if (problems.length === 0) return isCompiled ? 'ready' : 'unprepared';
    return problems.some(({ problem }) => problem === 'damaged') ? 'damaged' : 'missing';
  }

  /** Reads every byte of the models, compiles their graphs once more, and names what is wrong. */
  async verify(weightsIds: readonly string[], signal: AbortSignal): Promise<readonly ModelProblem[]> {
    const problems: ModelProblem[] = [];
    for (const weightsId of weightsIds) {
      this.#note(`${weightsId}: reading every byte`);
      const model = this.model(weightsId);
      const found = await this.#inspect(model, 'thorough');
      problems.push(...found.problems, ...(await this.#verifyCompiled(model, found, signal)));
    }
    return problems;
  }

  /** Makes the models usable: pulls what is missing or damaged, then compiles what is not compiled. */
  async ensure(weightsIds: readonly string[], care: Care, signal: AbortSignal): Promise<void> {
    const models = weightsIds.map((weightsId) => this.model(weightsId));
    if (await this.#allReady(models, care)) {
      if (care === 'thorough' || (await this.#sampleIsSound(models))) return;
      this.#note('a file that looked unchanged is damaged; reading every byte');
      return this.ensure(weightsIds, 'thorough', signal);
    }
    try {
      await this.#mend(models, care, signal);
    } catch (cause) {
      if (!isUnwritable(cause)) throw cause;
      throw new UnwritableStore(this.#options.folder, await this.#notReady(models), cause);
    }
  }

  async #mend(models: readonly CatalogueModel[], care: Care, signal: AbortSignal): Promise<void> {
    const lock = await acquireStoreLock(this.#options.folder, {
      signal,
      onWait: () => this.#note('another process is working on the model store; waiting for it'),
    });
    try {
      for (const model of models) await this.#pull(model, care, signal);
      for (const model of models) await this.#compileIfNeeded(model, care, signal);
      await rm(this.#downloadFolder, { recursive: true, force: true });
    } catch (cause) {
      await this.#dropWholeDownloads();
      throw cause;
    } finally {
      await lock.release();
    }
  }

  async #notReady(models: readonly CatalogueModel[]): Promise<string[]> {
    const states = await Promise.all(models.map(async ({ id }) => [id, await this.state(id)] as const));
    return states.flatMap(([id, state]) => (state === 'ready' ? [] : [`${id} (${state})`]));
  }

  async remove(weightsId: string, signal: AbortSignal): Promise<void> {
    const folder = this.folderOf(weightsId);
    const lock = await acquireStoreLock(this.#options.folder, { signal });
    try {
      await rm(folder, { recursive: true, force: true });
    } finally {
      await lock.release();
    }
  }

  get #downloadFolder(): string {
    return join(this.#options.folder, '.downloads');
  }

  async #allReady(models: readonly CatalogueModel[], care: Care): Promise<boolean> {
    for (const model of models) {
      const { problems, isCompiled, record } = await this.#inspect(model, care);
      if (problems.length > 0 || !isCompiled) return false;
      if (care === 'thorough' && (await this.#compiledProblems(model, record, care)).length > 0) return false;
    }
    return true;
  }

  async #inspect(model: CatalogueModel, care: Care): Promise<Inspection> {
    const folder = this.folderOf(model.id);
    const known = await readRecord(folder);
    const files: Record<string, FileRecord> = {};
    const problems: ModelProblem[] = [];
    for (const file of model.files) {
      const found = await checkFile(join(folder, file.name), file, known.files[file.name], care);
      if (typeof found === 'string') problems.push({ weightsId: model.id, file: file.name, problem: found });
      else files[file.name] = found;
    }
    const record = { ...known, files };
    if (JSON.stringify(files) !== JSON.stringify(known.files) && Object.keys(files).length > 0) {
      // A store that is read-only works all the same: its files are hashed anew at each start.
      await writeRecord(folder, record).catch((cause: unknown) => {
        if (!isUnwritable(cause)) throw cause;
      });
    }
    // A compilation that wrote nothing was none.
    const compiled = Object.keys(record.prepared[COMPILED_KIND] ?? {});
    const isCompiled =
      !this.#options.needsCompiling(model) ||
      (compiled.length > 0 && (await this.#compiledProblems(model, record, 'quick')).length === 0);
    return { problems, record, isCompiled };
  }

  async #compiledProblems(model: CatalogueModel, record: ModelRecord, care: Care): Promise<readonly ModelProblem[]> {
    const folder = compiledFolder(this.folderOf(model.id));
    const problems: ModelProblem[] = [];
    for (const [name, expected] of Object.entries(record.prepared[COMPILED_KIND] ?? {})) {
      const found = await checkFile(join(folder, name), expected, expected, care);
      if (typeof found === 'string') problems.push({ weightsId: model.id, file: `prepared ${name}`, problem: found });
    }
    return problems;
  }

  /** The record stands beside the graphs, so whoever changed one could change the other: it is not asked here. */
  async #verifyCompiled(
    model: CatalogueModel,
    { problems, record }: Inspection,
    signal: AbortSignal,
  ): Promise<readonly ModelProblem[]> {
    const isThere = Object.keys(record.prepared[COMPILED_KIND] ?? {}).length > 0;
    if (!isThere || !this.#options.needsCompiling(model)) return [];
    // From damaged files nothing can be compiled to compare with.
    if (problems.length > 0) return this.#compiledProblems(model, record, 'thorough');
    this.#note(`${model.id}: preparing once more, to compare`);
    const folder = this.folderOf(model.id);
    const differences = await differencesFromRecompiled(this.#options.compile, model, folder, signal);
    // Forgotten, so that the next pull or start prepares it anew.
    const { [COMPILED_KIND]: _damaged, ...others } = record.prepared;
    if (differences.size > 0) await writeRecord(folder, { ...record, prepared: others });
    return [...differences].map(([name, problem]) => ({ weightsId: model.id, file: `prepared ${name}`, problem }));
  }

  /** One file of all, another at each start, read whole: damage that neither size nor time shows is found in time. */
  async #sampleIsSound(models: readonly CatalogueModel[]): Promise<boolean> {
    const files: { readonly path: string; readonly sha256: string }[] = [];
    for (const model of models) {
      const folder = this.folderOf(model.id);
      const { prepared } = await readRecord(folder);
      for (const { name, sha256 } of model.files) files.push({ path: join(folder, name), sha256 });
      for (const [name, { sha256 }] of Object.entries(prepared[COMPILED_KIND] ?? {}))
        files.push({ path: join(compiledFolder(folder), name), sha256 });
    }
    const sample = files[Math.floor((this.#options.random ?? Math.random)() * files.length)];
    return sample === undefined || (await sha256OfFile(sample.path)) === sample.sha256;
  }

  async #pull(model: CatalogueModel, care: Care, signal: AbortSignal): Promise<void> {
    // Looked at again under the lock: another process may have brought the files meanwhile.
    const { problems } = await this.#inspect(model, care);
    if (problems.length === 0) return;
    let wanted = model.files.filter(({ name }) => problems.some(({ file }) => file === name));
    const reasons = new Map<string, string[]>();
    for (const source of this.#options.sources) {
      const offered = wanted.filter((file) => source.offers(model, file));
      if (offered.length === 0) continue;
      const arrived = await this.#fetch(model, offered, source, reasons, signal);
      wanted = wanted.filter((file) => !arrived.has(file));
    }
    await this.#inspect(model, 'quick');
    if (wanted.length === 0) return;
    throw new ModelStoreFault(
      wanted.map(({ name }) => ({
        weightsId: model.id,
        file: name,
        problem: problems.find(({ file }) => file === name)?.problem ?? 'missing',
        reasons: reasons.get(name) ?? ['no source offers it'],
      })),
    );
  }

  /** Brings files from one source; those that match their pin enter the store, the others leave a reason behind. */
  async #fetch(
    model: CatalogueModel,
    files: readonly CatalogueFile[],
    source: ModelSource,
    reasons: Map<string, string[]>,
    signal: AbortSignal,
  ): Promise<ReadonlySet<CatalogueFile>> {
    const staging = join(this.#downloadFolder, `staging-${model.id}`);
    await mkdir(staging, { recursive: true });
    let failure: unknown;
    try {
      await source.fetch(model, files, staging, {
        downloadFolder: this.#downloadFolder,
        signal,
        onProgress: (label, bytesDone, bytesTotal) =>
          this.#options.report?.({
            kind: 'progress',
            label,
            bytesDone,
            ...(bytesTotal !== undefined && { bytesTotal }),
          }),
      });
    } catch (cause) {
      signal.throwIfAborted();
      if (isFull(cause)) {
        await rm(staging, { recursive: true, force: true });
        throw cause;
      }
      failure = cause;
    }
    const arrived = new Set<CatalogueFile>();
    for (const file of files) {
      const found = await checkFile(join(staging, file.name), file, undefined, 'thorough');
      if (typeof found !== 'string') {
        await moveIntoPlace(join(staging, file.name), join(this.folderOf(model.id), file.name));
        arrived.add(file);
        continue;
      }
      const why = failure instanceof Error ? failure.message : found === 'missing' ? 'not there' : 'other bytes came';
      reasons.set(file.name, [...(reasons.get(file.name) ?? []), `${source.name}: ${why}`]);
    }
    await rm(staging, { recursive: true, force: true });
    return arrived;
  }

  async #compileIfNeeded(model: CatalogueModel, care: Care, signal: AbortSignal): Promise<void> {
    const { isCompiled, record } = await this.#inspect(model, care);
    if (isCompiled && (await this.#compiledProblems(model, record, care)).length === 0) return;
    this.#note(`${model.id}: preparing`);
    const folder = this.folderOf(model.id);
    const target = compiledFolder(folder);
    const draft = `${target}.draft`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    await this.#options.compile(model, folder, draft, signal);
    const files: Record<string, FileRecord> = {};
    for (const name of await readdir(draft)) {
      const stamp = await stampOf(join(draft, name));
      if (stamp) files[name] = { ...stamp, sha256: await sha256OfFile(join(draft, name)) };
    }
    await rm(target, { recursive: true, force: true });
    await moveIntoPlace(draft, target);
    await writeRecord(folder, { ...record, prepared: { ...record.prepared, [COMPILED_KIND]: files } });
  }

  /** A failed run keeps what can be resumed, and nothing that would only be found wanting again. */
  async #dropWholeDownloads(): Promise<void> {
    const names = await readdir(this.#downloadFolder).catch(() => []);
    for (const name of names) {
      if (!name.endsWith('.part')) await rm(join(this.#downloadFolder, name), { recursive: true, force: true });
    }
  }

  #note(text: string): void {
    this.#options.report?.({ kind: 'note', text });
  }
}

const checkFile = async (
  path: string,
  expected: { readonly bytes: number; readonly sha256: string },
  known: FileRecord | undefined,
  care: Care,
): Promise<FileRecord | FileProblem> => {
  const stamp = await stampOf(path);
  if (!stamp) return 'missing';
  if (stamp.bytes !== expected.bytes) return 'damaged';
  const isUnchanged =
    known?.bytes === stamp.bytes && known.mtimeMs === stamp.mtimeMs && known.sha256 === expected.sha256;
  if (care === 'quick' && isUnchanged) return known;
  return (await sha256OfFile(path)) === expected.sha256 ? { ...stamp, sha256: expected.sha256 } : 'damaged';
};
