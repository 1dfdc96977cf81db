// Path of the weights.
import { fileURLToPath } from 'node:url';

export const modelFile = fileURLToPath(new URL('./segmentation.onnx', import.meta.url));
