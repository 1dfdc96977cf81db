// Where the compiled graphs of a model stand, and of which kind they are.
import { join } from 'node:path';
import { bestByteSign } from '../../lib/process/processor.ts';

/** Changes whenever the compiler writes something else, so that old results are made anew. */
const COMPILER_VERSION = 3;

/** Of which bytes the weights are made; null where they stay as they were published. */
export const WEIGHT_SIGN = bestByteSign();

/** Which kind of graphs this machine uses: processors of different kinds may share a store. */
export const COMPILED_KIND = WEIGHT_SIGN ? `${COMPILER_VERSION}-${WEIGHT_SIGN}` : `${COMPILER_VERSION}`;

export const COMPILED_FILES = { encoder: 'encoder.onnx', decoder: 'decoder.onnx' } as const;

/** A folder beside the original files. Its name is part of the store on disk: stores of earlier versions have it. */
export const compiledFolder = (modelFolder: string): string => join(modelFolder, `prepared-${COMPILED_KIND}`);
