// Compiles the published speaker models into the graphs that the server runs.
import '../../lib/process/no-telemetry.ts';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import { type OnnxModel, readModel, writeModel } from '../graph/onnx.ts';
import { cutEmbeddingModel } from './embedding-graph.ts';
import { COMPILED_SPEAKER_FILES, PUBLISHED_FILES, SPEAKER_FAMILIES } from './families.ts';
import { segmentationGraph } from './segmentation-graph.ts';

/** Reads the checked files of `sourceFolder` and writes the graphs into `targetFolder`. Deterministic. */
export const compileSpeakerModel = async (
  family: string,
  sourceFolder: string,
  targetFolder: string,
): Promise<void> => {
  await mkdir(targetFolder, { recursive: true });
  if (family === SPEAKER_FAMILIES.segmentation) {
    const published = readModel(await readFile(join(sourceFolder, PUBLISHED_FILES.segmentation)));
    await writeFile(join(targetFolder, COMPILED_SPEAKER_FILES.segmentation), writeModel(segmentationGraph(published)));
    return;
  }
  const published = await readOrtFile(join(sourceFolder, PUBLISHED_FILES.embedding), targetFolder);
  const { frameLayers, affine } = cutEmbeddingModel(published);
  await writeFile(join(targetFolder, COMPILED_SPEAKER_FILES.frames), writeModel(frameLayers));
  const bytes = [affine.weights, affine.bias].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  await writeFile(join(targetFolder, COMPILED_SPEAKER_FILES.affine), Buffer.concat(bytes));
};

/** The published file is in onnxruntime's own format; the runtime itself converts it to ONNX. */
const readOrtFile = async (path: string, scratchFolder: string): Promise<OnnxModel> => {
  const converted = join(scratchFolder, 'converted.onnx');
  try {
    const session = await InferenceSession.create(path, {
      graphOptimizationLevel: 'disabled',
      optimizedModelFilePath: converted,
      logSeverityLevel: 3,
      extra: { session: { save_model_format: 'ONNX' } },
    });
    await session.release();
    return readModel(await readFile(converted));
  } finally {
    await rm(converted, { force: true });
  }
};
