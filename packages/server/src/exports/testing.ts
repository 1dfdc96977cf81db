// `#testing` in this repository: scripted counterparts of the real parts, and the models that are at hand.

export { compiledFolder } from '../speech/acoustic/compiled-files.ts';
export { acousticFamily } from '../speech/acoustic/families.ts';
export { processBytesFor } from '../speech/pool/shape.ts';
export { readCatalogue } from '../speech/store/catalogue.ts';
export { compileInChild } from '../speech/store/compile/compile.ts';
export { sha256OfFile } from '../speech/store/files.ts';
export { ModelStore } from '../speech/store/store.ts';
export { windowOf } from '../speech/testing/recogniser-fixtures.ts';
export { ScriptedEngine } from '../speech/testing/scripted-engine.ts';
export { storedModels } from '../speech/testing/stored-models.ts';
export { spoken, story } from '../speech/testing/tones.ts';
export { writeGgml } from '../speech/whisper/ggml/testing/made-ggml.ts';
export { type Precision, PUBLISHED_SHAPES, writeMadeExport } from '../speech/whisper/testing/made-export.ts';
export { passthroughRefiner } from '../transcription/testing/passthrough-refiner.ts';
