// The location of a model's compiled graphs, and the kind of graphs that this machine uses.
import { join } from 'node:path';
import { bestByteSign } from '../../lib/process/processor.ts';

/** Increment when the compiler's output changes, so that graphs are compiled again. */
const COMPILER_VERSION = 6;

/** Signedness of the weight bytes; null keeps the published one. */
export const WEIGHT_SIGN = bestByteSign();

/** Part of the folder name, because machines with different processors may share a store. */
export const COMPILED_KIND = WEIGHT_SIGN ? `${COMPILER_VERSION}-${WEIGHT_SIGN}` : `${COMPILER_VERSION}`;

export const COMPILED_FILES = { encoder: 'encoder.onnx', decoder: 'decoder.onnx' } as const;

/** A folder beside the published files. The name `prepared` keeps existing stores valid. */
export const compiledFolder = (modelFolder: string): string => join(modelFolder, `prepared-${COMPILED_KIND}`);
