// Compiles the published files of a model into faster graphs, once after a model is pulled.
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { withByteProducts } from '../graph/byte-products.ts';
import { modelPieces } from '../graph/onnx.ts';
import { COMPILED_FILES, WEIGHT_SIGN } from './compiled-files.ts';
import { acousticFamily } from './families.ts';

const PIECES_PER_WRITE = 64;

/** Reads the verified files of `sourceFolder` and writes the graphs to `targetFolder`. Deterministic. */
export const compileModel = async (family: string, sourceFolder: string, targetFolder: string): Promise<void> => {
  await mkdir(targetFolder, { recursive: true });
  const { compile } = await acousticFamily(family);
  await compile(sourceFolder, (graph, model) =>
    writePieces(
      join(targetFolder, COMPILED_FILES[graph]),
      modelPieces(WEIGHT_SIGN ? withByteProducts(model, WEIGHT_SIGN) : model),
    ),
  );
};

const writePieces = async (path: string, pieces: readonly Uint8Array[]): Promise<void> => {
  const file = await open(path, 'w');
  try {
    // A single write is limited to 2 GB.
    for (let first = 0; first < pieces.length; first += PIECES_PER_WRITE) {
      const part = pieces.slice(first, first + PIECES_PER_WRITE);
      const bytes = part.reduce((sum, piece) => sum + piece.length, 0);
      const { bytesWritten } = await file.writev(part);
      if (bytesWritten !== bytes) throw new Error(`${path} could not be written completely.`);
    }
  } finally {
    await file.close();
  }
};
