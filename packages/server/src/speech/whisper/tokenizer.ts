// Whisper's tokenizer: encoding, decoding, special and suppressed tokens, and the sizes of the model.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';

export interface WhisperTokenizer {
  readonly heads: number;
  readonly headSize: number;
  readonly melBins: number;
  readonly size: number;
  readonly startOfTranscript: number;
  readonly endOfText: number;
  readonly transcribe: number;
  readonly translate: number;
  readonly noTimestamps: number;
  readonly firstTimestamp: number;
  readonly noSpeech: number;
  readonly startOfPrevious: number;
  /** Whisper's language codes (`en`, `jw`, `haw`, …) in token order; null when a single language needs no token. */
  readonly languages: ReadonlyMap<string, number | null>;
  readonly suppressed: readonly number[];
  readonly suppressedAtStart: readonly number[];
  /** [layer, head] pairs whose attention follows the audio. */
  readonly alignmentHeads: readonly (readonly [number, number])[];
  /** Maximum number of tokens in the decoder. */
  readonly positions: number;
  encode(text: string): number[];
  decode(tokens: readonly number[]): string;
}

const readJson = async (folder: string, name: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(folder, name), 'utf8')) as Record<string, unknown>;

interface Configuration {
  readonly decoder_attention_heads: number;
  readonly d_model: number;
  readonly num_mel_bins: number;
  readonly vocab_size: number;
  readonly max_target_positions: number;
}

interface Generation {
  readonly decoder_start_token_id: number;
  readonly eos_token_id: number;
  readonly no_timestamps_token_id: number;
  readonly task_to_id: { readonly transcribe: number; readonly translate: number };
  readonly lang_to_id: Readonly<Record<string, number>>;
  readonly suppress_tokens?: readonly number[];
  readonly begin_suppress_tokens?: readonly number[];
  readonly alignment_heads?: readonly (readonly [number, number])[];
}

/** By the hash of its tables, which take 18 MB of heap: most sizes of Whisper have the same. */
const tokenizers = new Map<string, Tokenizer>();

const tokenizerOf = (tables: string): Tokenizer => {
  const hash = createHash('sha256').update(tables).digest('hex');
  const tokenizer = tokenizers.get(hash) ?? new Tokenizer(JSON.parse(tables), {});
  tokenizers.set(hash, tokenizer);
  return tokenizer;
};

export const loadTokenizer = async (folder: string): Promise<WhisperTokenizer> => {
  const [config, generation, tables] = await Promise.all([
    readJson(folder, 'config.json') as unknown as Promise<Configuration>,
    readJson(folder, 'generation_config.json') as unknown as Promise<Generation>,
    readFile(join(folder, 'tokenizer.json'), 'utf8'),
  ]);
  const tokenizer = tokenizerOf(tables);
  const noTimestamps = generation.no_timestamps_token_id;
  const languages = Object.entries(generation.lang_to_id)
    .map(([token, id]) => [token.slice(2, -2), id] as const)
    .sort((a, b) => a[1] - b[1]);
  return {
    heads: config.decoder_attention_heads,
    headSize: config.d_model / config.decoder_attention_heads,
    melBins: config.num_mel_bins,
    size: config.vocab_size,
    startOfTranscript: generation.decoder_start_token_id,
    endOfText: generation.eos_token_id,
    transcribe: generation.task_to_id.transcribe,
    translate: generation.task_to_id.translate,
    noTimestamps,
    // The order of the special tokens is the same in every Whisper; their ids are not.
    firstTimestamp: noTimestamps + 1,
    noSpeech: noTimestamps - 1,
    startOfPrevious: noTimestamps - 2,
    languages: new Map(languages),
    suppressed: generation.suppress_tokens ?? [],
    suppressedAtStart: generation.begin_suppress_tokens ?? [],
    alignmentHeads: generation.alignment_heads ?? [],
    positions: config.max_target_positions,
    encode: (text) => tokenizer.encode(text, { add_special_tokens: false }).ids,
    // The library throws when given no tokens.
    decode: (tokens) => (tokens.length === 0 ? '' : tokenizer.decode([...tokens], { skip_special_tokens: true })),
  };
};
