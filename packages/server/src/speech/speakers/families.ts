// The families of speaker models, by the names that the catalogue uses, and their files.

export const SPEAKER_FAMILIES = {
  segmentation: 'pyannote-segmentation',
  embedding: 'pyannote-embedding',
  /** Published graphs that take filter banks; they run uncompiled. */
  fbankEmbedding: 'fbank-embedding',
} as const;

export const isCompiledSpeakerFamily = (name: string): boolean =>
  name === SPEAKER_FAMILIES.segmentation || name === SPEAKER_FAMILIES.embedding;

/** Ids in the catalogue: the segmentation model, and the embedding model unless the operator chose another. */
export const SPEAKER_WEIGHTS = {
  segmentation: 'speaker-segmentation',
  embedding: 'speaker-embedding',
} as const;

/** For messages about a missing segmentation model. */
export const WITHOUT_SEGMENTATION = 'speakers are found from voice activity, less accurately';

export const PUBLISHED_FILES = {
  segmentation: 'segmentation.int8.onnx',
  embedding: 'embedding.ort',
  fbankEmbedding: 'embedding.onnx',
} as const;

/** Files that the compiler writes. */
export const COMPILED_SPEAKER_FILES = {
  segmentation: 'segmentation.onnx',
  frames: 'speaker-frames.onnx',
  /** Weights, row by row, then the bias; little-endian floats. */
  affine: 'affine.f32',
} as const;
