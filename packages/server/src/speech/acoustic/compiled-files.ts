// Where the compiled graphs of a model are, and which kind this machine uses.
import { join } from 'node:path';
import { bestByteSign } from '../../lib/process/processor.ts';

/** Increment when the compiler's output changes, so that graphs are compiled again. */
const COMPILER_VERSION = 4;

/** Sign of the weight bytes; null keeps the published one. */
export const WEIGHT_SIGN = bestByteSign();

/** Machines with different processors may share a store. */
export const COMPILED_KIND = WEIGHT_SIGN ? `${COMPILER_VERSION}-${WEIGHT_SIGN}` : `${COMPILER_VERSION}`;

export const COMPILED_FILES = { encoder: 'encoder.onnx', decoder: 'decoder.onnx' } as const;

/** A folder beside the published files. The name `prepared` is kept for stores of earlier versions. */
export const compiledFolder = (modelFolder: string): string => join(modelFolder, `prepared-${COMPILED_KIND}`);
