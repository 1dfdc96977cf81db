// The paths of the weights and the vocabulary.
import { fileURLToPath } from 'node:url';

export const modelFile = fileURLToPath(new URL('./tagger.int8.onnx', import.meta.url));
export const vocabularyFile = fileURLToPath(new URL('./vocabulary.json', import.meta.url));
