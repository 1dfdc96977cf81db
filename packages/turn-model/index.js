// The path of the weights.
import { fileURLToPath } from 'node:url';

export const modelFile = fileURLToPath(new URL('./turns.onnx', import.meta.url));
