// The graph compiler: turns the published files of a model into graphs that run faster, once after a model is pulled.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeModel } from '../graph/onnx.ts';
import { withSignedProducts } from '../graph/signed-weights.ts';
import { COMPILED_FILES, HAS_SIGNED_WEIGHTS } from './compiled-files.ts';
import { acousticFamily } from './families.ts';

/** Reads the checked original files of `sourceFolder` and writes the graphs into `targetFolder`. Deterministic. */
export const compileModel = async (family: string, sourceFolder: string, targetFolder: string): Promise<void> => {
  await mkdir(targetFolder, { recursive: true });
  const { compile } = await acousticFamily(family);
  await compile(sourceFolder, (graph, model) =>
    writeFile(
      join(targetFolder, COMPILED_FILES[graph]),
      writeModel(HAS_SIGNED_WEIGHTS ? withSignedProducts(model) : model),
    ),
  );
};
