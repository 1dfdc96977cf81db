// The optional language-model pass: edits the text in chunks and checks that each answer is faithful.
import { textOf } from '../edits.ts';
import type { Rewritten } from '../rewrite.ts';
import { breaksLine, endsSentence, type Token } from '../token.ts';
import { type ChatEndpoint, ChatFault, complete } from './chat-endpoint.ts';
import { unfaithfulness } from './faithfulness.ts';
import { mergeText } from './merge-text.ts';
import { promptFor } from './prompt.ts';

const CHUNK_WORDS_MIN = 400;
const CHUNK_WORDS_MAX = 700;
/** Concurrent requests per transcript; keeps a long transcript from occupying the whole endpoint. */
const CONCURRENT_MAX = 3;

/** Splits at the end of a sentence or line where possible. */
const chunksOf = (tokens: readonly Token[]): Token[][] => {
  const found: Token[][] = [];
  let current: Token[] = [];
  tokens.forEach((token, index) => {
    current.push(token);
    const next = tokens[index + 1];
    const isEnd =
      current.length >= CHUNK_WORDS_MIN && (endsSentence(token) || (next !== undefined && breaksLine(next)));
    if (!isEnd && current.length < CHUNK_WORDS_MAX && next) return;
    found.push(current);
    current = [];
  });
  return found;
};

interface ModelOutcome extends Rewritten {
  /** Why the model's text was not used; null when it was. */
  readonly fallback: string | null;
}

/** Redaction marks, in order: "[CARD_1]", "****". */
const marksIn = (text: string): string => (text.match(/\[[A-Z_]+_\d+\]|\*{4}/gu) ?? []).join(' ');

const editChunk = async (
  chunk: readonly Token[],
  language: string | null,
  endpoint: ChatEndpoint,
  signal: AbortSignal,
): Promise<Rewritten> => {
  const [first, ...rest] = chunk;
  const source = textOf([{ ...first!, gap: '' }, ...rest]);
  const answer = await complete(endpoint, promptFor(source, language), chunk.length * 3 + 200, signal);
  const fault = unfaithfulness(source, answer);
  if (fault !== null) throw new ChatFault(`unfaithful_${fault}`);
  if (marksIn(source) !== marksIn(answer)) throw new ChatFault('unfaithful_marks');
  const merged = mergeText(chunk, answer);
  const start = merged.tokens[0];
  return start ? { ...merged, tokens: [{ ...start, gap: first!.gap }, ...merged.tokens.slice(1)] } : merged;
};

export const runModelPass = async (
  tokens: readonly Token[],
  language: string | null,
  endpoint: ChatEndpoint,
  signal: AbortSignal,
): Promise<ModelOutcome> => {
  if (tokens.length === 0) return { tokens, records: [], fallback: null };
  const parts = chunksOf(tokens);
  const results: Rewritten[] = [];
  // One failed chunk aborts the others, because a partly edited text would be inconsistent.
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < parts.length; index = next++)
      results[index] = await editChunk(parts[index]!, language, endpoint, both);
  };
  const workers = Array.from({ length: Math.min(CONCURRENT_MAX, parts.length) }, worker);
  try {
    await Promise.all(workers);
  } catch (thrown) {
    stop.abort();
    await Promise.allSettled(workers);
    signal.throwIfAborted();
    return { tokens, records: [], fallback: thrown instanceof ChatFault ? thrown.reason : 'failed' };
  }
  return {
    tokens: results.flatMap((result) => result.tokens),
    records: results.flatMap((result) => result.records),
    fallback: null,
  };
};
