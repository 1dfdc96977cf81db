// What can be wrong with the model store, said to an operator together with the command that mends it.

export type FileTrouble = 'missing' | 'damaged';

export interface ModelTrouble {
  readonly modelId: string;
  readonly file: string;
  readonly trouble: FileTrouble;
  /** Why it could not be mended, when that was tried. */
  readonly reasons?: readonly string[];
}

export const mendCommand = (modelIds: readonly string[]): string =>
  `npx faircopy models pull ${[...new Set(modelIds)].join(' ')}`;

const line = ({ modelId, file, trouble, reasons }: ModelTrouble): string =>
  [`${modelId}/${file} is ${trouble}`, ...(reasons ?? [])].join('\n    ');

/** The caller named a model that the catalogue does not have. */
export class UnknownModel extends Error {
  constructor(modelId: string, known: readonly string[]) {
    super(`There is no model "${modelId}". Known: ${known.join(', ')}.`);
    this.name = 'UnknownModel';
  }
}

export class ModelStoreFault extends Error {
  readonly troubles: readonly ModelTrouble[];
  constructor(troubles: readonly ModelTrouble[]) {
    const mend = mendCommand(troubles.map(({ modelId }) => modelId));
    super(`Model files are not in order:\n  ${troubles.map(line).join('\n  ')}\nTo mend this, run: ${mend}`);
    this.name = 'ModelStoreFault';
    this.troubles = troubles;
  }
}
