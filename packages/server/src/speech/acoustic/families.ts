// The families of acoustic models, by their name in the catalogue. To add one, add a folder and a line here.
import type { AcousticModelFamily } from './acoustic-model.ts';

/** Imported on demand: they load the inference runtime, which the server's main process does not need. */
const FAMILIES: Readonly<Record<string, () => Promise<AcousticModelFamily>>> = {
  whisper: async () => (await import('../whisper/family.ts')).whisper,
  'whisper-ggml': async () => (await import('../whisper/ggml/family.ts')).whisperGgml,
  fastconformer: async () => (await import('../fastconformer/family.ts')).fastConformer,
  moonshine: async () => (await import('../moonshine/family.ts')).moonshine,
  'moonshine-streaming': async () => (await import('../moonshine-streaming/family.ts')).moonshineStreaming,
};

/** Published in the runtime's own format, so there is nothing to compile. */
const USED_AS_PUBLISHED: ReadonlySet<string> = new Set(['moonshine-streaming']);

export const isAcousticFamily = (name: string): boolean => Object.hasOwn(FAMILIES, name);

export const isCompiledFamily = (name: string): boolean => isAcousticFamily(name) && !USED_AS_PUBLISHED.has(name);

export const acousticFamily = (name: string): Promise<AcousticModelFamily> => {
  const load = isAcousticFamily(name) ? FAMILIES[name] : undefined;
  if (!load) throw new Error(`"${name}" is not a family of acoustic models.`);
  return load();
};
