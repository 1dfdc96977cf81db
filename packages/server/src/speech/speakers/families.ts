// The families of speaker models, by the names that the catalogue uses, and their files.

export const SPEAKER_FAMILIES = {
  segmentation: 'pyannote-segmentation',
  embedding: 'pyannote-embedding',
} as const;

export const isSpeakerFamily = (name: string): boolean => Object.values<string>(SPEAKER_FAMILIES).includes(name);

/** Their ids in the catalogue. */
export const SPEAKER_WEIGHTS = {
  segmentation: 'speaker-segmentation',
  embedding: 'speaker-embedding',
} as const;

/** What happens without the segmentation model. */
export const WITHOUT_SEGMENTATION = 'speakers are found from voice activity, less accurately';

export const PUBLISHED_FILES = { segmentation: 'segmentation.int8.onnx', embedding: 'embedding.ort' } as const;

/** What the compiler writes. */
export const COMPILED_SPEAKER_FILES = {
  segmentation: 'segmentation.onnx',
  frames: 'speaker-frames.onnx',
  /** Weights, row by row, then the bias; little-endian floats. */
  affine: 'affine.f32',
} as const;
