// The optional language-model pass: chunk by chunk over the draft, each answer through the faithfulness guard.
import { textOf } from '../edits.ts';
import type { Mark } from '../rewrite.ts';
import { breaksLine, endsSentence, type Token } from '../token.ts';
import { type ChatEndpoint, ChatFault, complete } from './chat.ts';
import { breachOf } from './guard.ts';
import { mergeModelText } from './merge.ts';
import { promptFor } from './prompt.ts';

const CHUNK_WORDS_MIN = 400;
const CHUNK_WORDS_MAX = 700;
/** Requests at a time: one long transcript must not take the whole endpoint. */
const CONCURRENT_MAX = 3;

/** Cuts at the end of a sentence or line where it can. */
const chunks = (tokens: readonly Token[]): Token[][] => {
  const found: Token[][] = [];
  let current: Token[] = [];
  tokens.forEach((token, index) => {
    current.push(token);
    const next = tokens[index + 1];
    const cut = current.length >= CHUNK_WORDS_MIN && (endsSentence(token) || (next !== undefined && breaksLine(next)));
    if (!cut && current.length < CHUNK_WORDS_MAX && next) return;
    found.push(current);
    current = [];
  });
  return found;
};

export interface ModelOutcome {
  readonly tokens: readonly Token[];
  readonly marks: readonly Mark[];
  /** Why the draft stands as it was; null when the model's text was taken. */
  readonly fallback: string | null;
}

const edited = async (
  chunk: readonly Token[],
  language: string | null,
  endpoint: ChatEndpoint,
  signal: AbortSignal,
) => {
  const [first, ...rest] = chunk;
  const source = textOf([{ ...first!, gap: '' }, ...rest]);
  const answer = await complete(endpoint, promptFor(source, language), chunk.length * 3 + 200, signal);
  const breach = breachOf(source, answer);
  if (breach !== null) throw new ChatFault(`unfaithful_${breach}`);
  const merged = mergeModelText(chunk, answer);
  const start = merged.tokens[0];
  return start ? { ...merged, tokens: [{ ...start, gap: first!.gap }, ...merged.tokens.slice(1)] } : merged;
};

export const runModelPass = async (
  tokens: readonly Token[],
  language: string | null,
  endpoint: ChatEndpoint,
  signal: AbortSignal,
): Promise<ModelOutcome> => {
  if (tokens.length === 0) return { tokens, marks: [], fallback: null };
  const parts = chunks(tokens);
  const results: { tokens: readonly Token[]; marks: readonly Mark[] }[] = [];
  // One failed chunk ends the others: half a text by the model and half by rules would read as neither.
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < parts.length; index = next++)
      results[index] = await edited(parts[index]!, language, endpoint, both);
  };
  const workers = Array.from({ length: Math.min(CONCURRENT_MAX, parts.length) }, worker);
  try {
    await Promise.all(workers);
  } catch (thrown) {
    stop.abort();
    await Promise.allSettled(workers);
    signal.throwIfAborted();
    return { tokens, marks: [], fallback: thrown instanceof ChatFault ? thrown.reason : 'failed' };
  }
  return {
    tokens: results.flatMap((result) => result.tokens),
    marks: results.flatMap((result) => result.marks),
    fallback: null,
  };
};
