// Whisper graphs with scripted tokens, for tests of the code around the model.
import type { DecoderState } from '../../acoustic/token-cache.ts';
import type { WhisperGraphs } from '../graphs.ts';
import type { WhisperTokenizer } from '../tokenizer.ts';

const WORDS = 40;
const TIMESTAMPS = 1501;
export const END_OF_TEXT = WORDS;
const START_OF_TRANSCRIPT = WORDS + 1;
const NO_TIMESTAMPS = WORDS + 6;
export const FIRST_TIMESTAMP = WORDS + 7;
/** Start, language, task, no timestamps. */
export const PROMPT = [START_OF_TRANSCRIPT, WORDS + 2, WORDS + 3, NO_TIMESTAMPS];

/** Tokens below 40 are words. */
export const scriptedTokenizer = {
  size: FIRST_TIMESTAMP + TIMESTAMPS,
  startOfTranscript: START_OF_TRANSCRIPT,
  endOfText: END_OF_TEXT,
  noTimestamps: NO_TIMESTAMPS,
  firstTimestamp: FIRST_TIMESTAMP,
  noSpeech: WORDS + 5,
  languages: new Map([['en', WORDS + 2]]),
  suppressed: [],
  suppressedAtStart: [],
  positions: 448,
} as unknown as WhisperTokenizer;

interface ScriptedWhisper {
  readonly graphs: WhisperGraphs;
  /** Number of decoder runs. */
  steps(): number;
}

/** Each encoded audio gets the next of these texts, however its tokens are fed. */
export const scriptedGraphs = (...texts: readonly (readonly number[])[]): ScriptedWhisper => {
  let steps = 0;
  let encoded = 0;
  const read = new WeakMap<DecoderState, { readonly text: readonly number[]; readonly tokens: readonly number[] }>();
  const remember = (text: readonly number[], tokens: readonly number[]): DecoderState => {
    const state = { audio: {}, past: {}, tokens: tokens.length };
    read.set(state, { text, tokens });
    return state;
  };
  const rowAfter = (text: readonly number[], tokens: readonly number[]) => {
    const promptLength = tokens.includes(NO_TIMESTAMPS) ? PROMPT.length : PROMPT.length - 1;
    const logits = new Float32Array(scriptedTokenizer.size);
    logits[text[tokens.length - promptLength] ?? END_OF_TEXT] = 9;
    return { logits, logSum: 9 };
  };
  const graphs: WhisperGraphs = {
    encode: async () => remember(texts[Math.min(encoded++, texts.length - 1)]!, []),
    async decode(tokens, state, rows = [tokens.length - 1]) {
      steps += 1;
      const { text, tokens: before } = read.get(state)!;
      const all = [...before, ...tokens];
      return {
        rows: rows.map((row) => rowAfter(text, all.slice(0, before.length + row + 1))),
        state: remember(text, all),
      };
    },
    async decodeBranches(branches, state) {
      steps += 1;
      const { text, tokens: before } = read.get(state)!;
      return branches.map(({ after, tokens }) =>
        tokens.map((_, at) => rowAfter(text, [...before.slice(0, after), ...tokens.slice(0, at + 1)])),
      );
    },
    part: (state) => state,
    shorten: (state, tokens) => remember(read.get(state)!.text, read.get(state)!.tokens.slice(0, tokens)),
    attend: async () => [],
    freeAudio: () => undefined,
    close: async () => undefined,
  };
  return { graphs, steps: () => steps };
};
