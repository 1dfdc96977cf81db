// Reads the configuration of a Moonshine streaming export, and locates its graph files.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UnknownGraph } from '../graph/unknown-graph.ts';
import { BEGIN, END } from '../moonshine/transcribe.ts';

const size = z.int().min(1).max(100_000);
const shape = z.array(size).min(1).max(4);

const streamingConfig = z.object({
  encoder_dim: size,
  depth: size.max(100),
  nheads: size,
  head_dim: size,
  bos_id: z.literal(BEGIN),
  eos_id: z.literal(END),
  frame_len: size,
  /** Lookahead: how many following encoder frames change a frame. */
  total_lookahead: z.int().min(0).max(1_000),
  frontend_state_shapes: z.object({
    sample_buffer: shape,
    sample_len: shape,
    conv1_buffer: shape,
    conv2_buffer: shape,
    frame_count: shape,
  }),
});

export type StreamingConfig = Readonly<z.infer<typeof streamingConfig>>;

export const readStreamingConfig = async (folder: string): Promise<StreamingConfig> => {
  const found = streamingConfig.safeParse(JSON.parse(await readFile(join(folder, 'streaming_config.json'), 'utf8')));
  if (found.success) return found.data;
  const places = found.error.issues.map(({ path }) => path.join('.'));
  throw new UnknownGraph(`its streaming_config.json has missing or invalid fields: ${places.join(', ')}`);
};

/** Published exports are in the runtime's own format; a custom export may still be ONNX. */
export const graphPath = (folder: string, name: string): string => {
  const path = ['ort', 'onnx'].map((ending) => join(folder, `${name}.${ending}`)).find((each) => existsSync(each));
  if (path === undefined) throw new UnknownGraph(`there is no ${name}.ort`);
  return path;
};
