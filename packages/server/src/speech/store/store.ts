// The model store: finds, pulls, checks, compiles and removes model files under one folder.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalogue, CatalogueModel } from './catalogue.ts';
import type { Compile } from './compile/compile.ts';
import { type FileProblem, isUnwritable, type ModelProblem, UnknownModel, UnwritableStore } from './fault.ts';
import { sha256OfFile } from './files.ts';
import { acquireStoreLock } from './lock.ts';
import { type Care, ModelFiles } from './model-files.ts';
import type { ModelRecord } from './record.ts';
import { pullModel } from './sources/pull.ts';
import type { ModelSource } from './sources/source.ts';

type Pins = ModelRecord['pins'];

export type StoreEvent =
  | {
      readonly kind: 'progress';
      readonly label: string;
      readonly bytesDone: number;
      readonly bytesTotal?: number | undefined;
    }
  | { readonly kind: 'note'; readonly text: string };

export interface ModelStoreOptions {
  readonly folder: string;
  readonly catalogue: Catalogue;
  /** Tried in this order. */
  readonly sources: readonly ModelSource[];
  readonly compile: Compile;
  /** Models of other families are used as published. */
  readonly needsCompiling: (model: CatalogueModel) => boolean;
  readonly report?: (event: StoreEvent) => void;
  /** From 0 to 1; chooses the file that a start reads completely. */
  readonly random?: () => number;
}

/** `unprepared`: the files are complete, but not compiled. */
type ModelState = 'ready' | 'unprepared' | FileProblem;

export class ModelStore {
  readonly #options: ModelStoreOptions;

  constructor(options: ModelStoreOptions) {
    this.#options = options;
  }

  get catalogue(): Catalogue {
    return this.#options.catalogue;
  }

  folderOf(weightsId: string): string {
    return this.#filesOf(weightsId).folder;
  }

  model(weightsId: string): CatalogueModel {
    const { catalogue } = this.#options;
    const model = catalogue.find(({ id }) => id === weightsId);
    if (model) return model;
    const known = catalogue.map(({ id }) => id);
    throw new UnknownModel(weightsId, known);
  }

  async state(weightsId: string): Promise<ModelState> {
    const { problems, isCompiled } = await this.#filesOf(weightsId).inspect('quick');
    if (problems.length === 0) return isCompiled ? 'ready' : 'unprepared';
    return problems.some(({ problem }) => problem === 'damaged') ? 'damaged' : 'missing';
  }

  /** Reads every byte of the models, compiles their graphs again, and reports what is wrong. */
  async verify(weightsIds: readonly string[], signal: AbortSignal): Promise<readonly ModelProblem[]> {
    const problems: ModelProblem[] = [];
    for (const weightsId of weightsIds) {
      this.#note(`${weightsId}: checking every byte`);
      const files = this.#filesOf(weightsId);
      const found = await files.inspect('thorough');
      problems.push(...found.problems, ...(await files.verifyCompiled(found, this.#options.compile, signal)));
    }
    return problems;
  }

  /** Makes the models usable: pulls what is missing or damaged, then compiles what is not compiled. */
  async ensure(weightsIds: readonly string[], care: Care, signal: AbortSignal): Promise<void> {
    const models = weightsIds.map((weightsId) => this.#filesOf(weightsId));
    if (await this.#allReady(models, care)) {
      if (care === 'thorough' || (await this.#isSampleIntact(models))) return;
      this.#note('a file that looked unchanged is damaged; checking every byte');
      return this.ensure(weightsIds, 'thorough', signal);
    }
    try {
      await this.#repair(models, care, signal);
    } catch (cause) {
      if (!isUnwritable(cause)) throw cause;
      throw new UnwritableStore(this.#options.folder, await this.#notReady(models), cause);
    }
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

  #filesOf(weightsId: string): ModelFiles {
    const model = this.model(weightsId);
    return new ModelFiles(model, join(this.#options.folder, model.id), this.#options.needsCompiling(model));
  }

  async #repair(models: readonly ModelFiles[], care: Care, signal: AbortSignal): Promise<void> {
    const lock = await acquireStoreLock(this.#options.folder, {
      signal,
      onWait: () => this.#note('waiting for another process that is using the model store'),
    });
    const context = {
      downloadFolder: this.#downloadFolder,
      signal,
      onProgress: (label: string, bytesDone: number, bytesTotal: number | undefined) =>
        this.#options.report?.({ kind: 'progress', label, bytesDone, bytesTotal }),
    };
    try {
      for (const model of models) {
        const before = await model.recordedPins();
        await pullModel(model, this.#options.sources, care, context);
        await this.#warnOfNewPins(model, before);
      }
      for (const model of models) await this.#compileIfNeeded(model, care, signal);
      await rm(this.#downloadFolder, { recursive: true, force: true });
    } catch (cause) {
      await this.#dropCompleteDownloads();
      throw cause;
    } finally {
      await lock.release();
    }
  }

  /** Warns about files pulled without a checksum: the recorded checksums are trusted from now on. */
  async #warnOfNewPins(files: ModelFiles, before: Pins): Promise<void> {
    for (const [name, { sha256 }] of Object.entries(await files.recordedPins())) {
      if (before[name]) continue;
      this.#note(`warning: the catalogue has no checksum for ${files.model.id}/${name}; recorded ${sha256}`);
    }
  }

  async #notReady(models: readonly ModelFiles[]): Promise<string[]> {
    const states = await Promise.all(models.map(async ({ model: { id } }) => [id, await this.state(id)] as const));
    return states.flatMap(([id, state]) => (state === 'ready' ? [] : [`${id} (${state})`]));
  }

  async #allReady(models: readonly ModelFiles[], care: Care): Promise<boolean> {
    for (const model of models) if (!(await model.isReady(care))) return false;
    return true;
  }

  /** Reads one random file at each start, to find damage that neither size nor time shows. */
  async #isSampleIntact(models: readonly ModelFiles[]): Promise<boolean> {
    const files = (await Promise.all(models.map((model) => model.expectedFiles()))).flat();
    const sample = files[Math.floor((this.#options.random ?? Math.random)() * files.length)];
    return sample === undefined || (await sha256OfFile(sample.path)) === sample.sha256;
  }

  async #compileIfNeeded(files: ModelFiles, care: Care, signal: AbortSignal): Promise<void> {
    const { isCompiled, record } = await files.inspect(care);
    if (isCompiled && (await files.compiledProblems(record, care)).length === 0) return;
    this.#note(`${files.model.id}: compiling`);
    await files.compile(record, this.#options.compile, signal);
  }

  /** After a failure, keeps partial downloads, which can be resumed; complete ones were found to be wrong. */
  async #dropCompleteDownloads(): Promise<void> {
    const names = await readdir(this.#downloadFolder).catch(() => []);
    for (const name of names) {
      if (!name.endsWith('.part')) await rm(join(this.#downloadFolder, name), { recursive: true, force: true });
    }
  }

  #note(text: string): void {
    this.#options.report?.({ kind: 'note', text });
  }
}
