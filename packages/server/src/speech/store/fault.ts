// Errors of the model store, with the command that repairs it.

export type FileProblem = 'missing' | 'damaged';

export interface ModelProblem {
  readonly weightsId: string;
  readonly file: string;
  readonly problem: FileProblem;
  /** Why a repair failed, if one was tried. */
  readonly reasons?: readonly string[];
}

const repairCommand = (weightsIds: readonly string[]): string =>
  `npx faircopy models pull ${[...new Set(weightsIds)].join(' ')}`;

const line = ({ weightsId, file, problem, reasons }: ModelProblem): string =>
  [`${weightsId}/${file} is ${problem}`, ...(reasons ?? [])].join('\n    ');

export class UnknownModel extends Error {
  constructor(weightsId: string, known: readonly string[]) {
    super(`There is no model "${weightsId}". Known: ${known.join(', ')}.`);
    this.name = 'UnknownModel';
  }
}

export class ModelStoreFault extends Error {
  readonly problems: readonly ModelProblem[];
  constructor(problems: readonly ModelProblem[]) {
    const repair = repairCommand(problems.map(({ weightsId }) => weightsId));
    super(`Model files are missing or damaged:\n  ${problems.map(line).join('\n  ')}\nTo repair them, run: ${repair}`);
    this.name = 'ModelStoreFault';
    this.problems = problems;
  }
}

/** Error codes of writes to a store that is read-only or full. */
const UNWRITABLE_CODES = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'ENOTDIR']);

export const isUnwritable = (cause: unknown): boolean =>
  UNWRITABLE_CODES.has((cause as NodeJS.ErrnoException | null)?.code ?? '');

/** Trying other sources would not help. */
export const isFull = (cause: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((cause as NodeJS.ErrnoException | null)?.code ?? '');

/** Models are not ready, and the store cannot be written. */
export class UnwritableStore extends Error {
  constructor(folder: string, models: readonly string[], cause: unknown) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = isFull(cause) ? 'is full' : 'cannot be written';
    super(
      `The model store ${folder} ${why} (${code}), and these models are not ready in it: ${models.join(', ')}. ` +
        'Run "npx faircopy models pull" where the store is writable, on the same kind of processor, ' +
        'or set FAIRCOPY_MODELS_DIR to a writable folder.',
      { cause },
    );
    this.name = 'UnwritableStore';
  }
}
