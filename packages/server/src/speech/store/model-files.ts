// The files of one model in the store, checked against the catalogue and the record of earlier checks.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPILED_KIND, compiledFolder } from '../acoustic/compiled-files.ts';
import type { CatalogueFile, CatalogueModel } from './catalogue.ts';
import type { Compile } from './compile/compile.ts';
import { differencesFromRecompiled } from './compile/recompile.ts';
import { type FileProblem, isUnwritable, type ModelProblem } from './fault.ts';
import { moveIntoPlace, sha256OfFile, stampOf } from './files.ts';
import { type FileRecord, type ModelRecord, readRecord, writeRecord } from './record.ts';

/** `quick` trusts size and modification time of files hashed before; `thorough` reads every byte. */
export type Care = 'quick' | 'thorough';

interface Inspection {
  readonly problems: readonly ModelProblem[];
  readonly record: ModelRecord;
  readonly isCompiled: boolean;
}

interface ExpectedFile {
  readonly path: string;
  readonly sha256: string;
}

export class ModelFiles {
  readonly model: CatalogueModel;
  readonly folder: string;
  readonly #needsCompiling: boolean;

  constructor(model: CatalogueModel, folder: string, needsCompiling: boolean) {
    this.model = model;
    this.folder = folder;
    this.#needsCompiling = needsCompiling;
  }

  async inspect(care: Care): Promise<Inspection> {
    const known = await readRecord(this.folder);
    const files: Record<string, FileRecord> = {};
    const pins = { ...known.pins };
    const problems: ModelProblem[] = [];
    for (const file of this.model.files) {
      const path = join(this.folder, file.name);
      const found = await checkFile(path, pinOf(file, known), known.files[file.name], care);
      if (typeof found === 'string') problems.push({ weightsId: this.model.id, file: file.name, problem: found });
      else {
        files[file.name] = found;
        if (file.sha256 === undefined) pins[file.name] = { bytes: found.bytes, sha256: found.sha256 };
      }
    }
    const record = { ...known, pins, files };
    if (JSON.stringify(files) !== JSON.stringify(known.files) && Object.keys(files).length > 0) {
      // A read-only store works too, but its files are hashed again at each start.
      await writeRecord(this.folder, record).catch((cause: unknown) => {
        if (!isUnwritable(cause)) throw cause;
      });
    }
    const isCompiled =
      !this.#needsCompiling || (hasCompiled(record) && (await this.compiledProblems(record, 'quick')).length === 0);
    return { problems, record, isCompiled };
  }

  /** Checksums that the first pull recorded. */
  async recordedPins(): Promise<ModelRecord['pins']> {
    return (await readRecord(this.folder)).pins;
  }

  async isReady(care: Care): Promise<boolean> {
    const { problems, isCompiled, record } = await this.inspect(care);
    if (problems.length > 0 || !isCompiled) return false;
    return care === 'quick' || (await this.compiledProblems(record, care)).length === 0;
  }

  async compiledProblems(record: ModelRecord, care: Care): Promise<readonly ModelProblem[]> {
    const folder = compiledFolder(this.folder);
    const problems: ModelProblem[] = [];
    for (const [name, expected] of Object.entries(compiledOf(record))) {
      const found = await checkFile(join(folder, name), expected, expected, care);
      if (typeof found === 'string') problems.push(this.#compiledProblem(name, found));
    }
    return problems;
  }

  /**
   * Compiles again and compares. The record is in the same folder as the graphs, so an attacker who changed the graphs
   * could have changed it too: it is not trusted here.
   */
  async verifyCompiled(
    { problems, record }: Inspection,
    compile: Compile,
    signal: AbortSignal,
  ): Promise<readonly ModelProblem[]> {
    if (!this.#needsCompiling || !hasCompiled(record)) return [];
    // Damaged files cannot be compiled for a comparison.
    if (problems.length > 0) return this.compiledProblems(record, 'thorough');
    const differences = await differencesFromRecompiled(compile, this.model, this.folder, signal);
    // Remove it from the record, so that the next pull or start compiles it again.
    const { [COMPILED_KIND]: _damaged, ...others } = record.prepared;
    if (differences.size > 0) await writeRecord(this.folder, { ...record, prepared: others });
    return [...differences].map(([name, problem]) => this.#compiledProblem(name, problem));
  }

  async compile(record: ModelRecord, compile: Compile, signal: AbortSignal): Promise<void> {
    const target = compiledFolder(this.folder);
    const draft = `${target}.draft`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    await compile(this.model, this.folder, draft, signal);
    const files: Record<string, FileRecord> = {};
    for (const name of await readdir(draft)) {
      const stamp = await stampOf(join(draft, name));
      if (stamp) files[name] = { ...stamp, sha256: await sha256OfFile(join(draft, name)) };
    }
    await rm(target, { recursive: true, force: true });
    await moveIntoPlace(draft, target);
    await writeRecord(this.folder, { ...record, prepared: { ...record.prepared, [COMPILED_KIND]: files } });
  }

  /** All files with the checksums they should have, compiled graphs included. */
  async expectedFiles(): Promise<ExpectedFile[]> {
    const record = await readRecord(this.folder);
    const compiled = compiledOf(record);
    return [
      ...this.model.files.flatMap((file) => {
        const { sha256 } = pinOf(file, record);
        return sha256 === undefined ? [] : [{ path: join(this.folder, file.name), sha256 }];
      }),
      ...Object.entries(compiled).map(([name, { sha256 }]) => ({
        path: join(compiledFolder(this.folder), name),
        sha256,
      })),
    ];
  }

  #compiledProblem(name: string, problem: FileProblem): ModelProblem {
    return { weightsId: this.model.id, file: `prepared ${name}`, problem };
  }
}

const compiledOf = (record: ModelRecord): Readonly<Record<string, FileRecord>> => record.prepared[COMPILED_KIND] ?? {};

/** A compilation that wrote no files does not count. */
const hasCompiled = (record: ModelRecord): boolean => Object.keys(compiledOf(record)).length > 0;

interface Pin {
  /** Approximate without a checksum. */
  readonly bytes: number;
  readonly sha256?: string | undefined;
}

/** The expected size and checksum of a file: from the catalogue, or as recorded by the first pull. */
export const pinOf = (file: CatalogueFile, { pins }: ModelRecord): Pin =>
  file.sha256 === undefined ? (pins[file.name] ?? file) : file;

/** A file without a checksum may be larger or smaller than expected by this factor. */
export const SIZE_FACTOR_MAX = 4;

const isSizeOf = ({ bytes, sha256 }: Pin, found: number): boolean =>
  sha256 === undefined ? found * SIZE_FACTOR_MAX >= bytes && found <= bytes * SIZE_FACTOR_MAX : found === bytes;

export const checkFile = async (
  path: string,
  expected: Pin,
  known: FileRecord | undefined,
  care: Care,
): Promise<FileRecord | FileProblem> => {
  const stamp = await stampOf(path);
  if (!stamp) return 'missing';
  if (!isSizeOf(expected, stamp.bytes)) return 'damaged';
  const isUnchanged =
    known?.bytes === stamp.bytes && known.mtimeMs === stamp.mtimeMs && known.sha256 === expected.sha256;
  if (care === 'quick' && isUnchanged) return known;
  const sha256 = await sha256OfFile(path);
  return sha256 === (expected.sha256 ?? sha256) ? { ...stamp, sha256 } : 'damaged';
};
