// Reads a published export in any precision, with its external weight files.
import { closeSync, openSync, readSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { OnnxFault, type OnnxModel, type ReadExternal, readModel } from './onnx.ts';
import { UnknownGraph } from './unknown-graph.ts';

/** File endings by precision; 8-bit exports come first, because others must be quantised here. */
const ENDINGS = ['_quantized', '_int8', '.int8', '_uint8', '_fp16', ''];

const externalIn =
  (folder: string): ReadExternal =>
  (file, offset, length) => {
    // The file name comes from the model: it must not leave the model's folder.
    if (file === '' || file !== basename(file)) throw new OnnxFault(`External weights in "${file}" are not allowed.`);
    const descriptor = openSync(join(folder, file), 'r');
    try {
      const bytes = Buffer.alloc(length);
      for (let read = 0; read < length; ) {
        const count = readSync(descriptor, bytes, read, length - read, offset + read);
        if (count === 0) throw new OnnxFault(`The weights in "${file}" end too early.`);
        read += count;
      }
      return bytes;
    } finally {
      closeSync(descriptor);
    }
  };

export const readExport = async (folder: string, name: string): Promise<OnnxModel> => {
  const files = new Set(await readdir(folder));
  const file = ENDINGS.map((ending) => `${name}${ending}.onnx`).find((candidate) => files.has(candidate));
  if (file === undefined) throw new UnknownGraph(`there is no ${name}.onnx`);
  return readModel(await readFile(join(folder, file)), externalIn(folder));
};
