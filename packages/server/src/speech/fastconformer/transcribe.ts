// Transcribes encoded speech with a FastConformer: greedy decoding, loop detection and terms.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import type { Hypothesis, TranscribeOptions } from '../acoustic/acoustic-model.ts';
import type { LogitRow } from '../decoding/choose-token.ts';
import { findLoop, isRepetitive } from '../decoding/repetition.ts';
import { applyTerms, type ForcedDecoding, scoreByRows } from '../terms/apply-terms.ts';
import type { TermList } from '../terms/term-list.ts';
import { decodeCtc } from './ctc.ts';
import { ctcScores } from './ctc-terms.ts';
import type { FastConformerGraphs } from './graphs.ts';
import { decodeTransducer, type Emission, forceTokens } from './transducer.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { EncodedFrames } from './windows.ts';

export interface FastConformer {
  readonly id: string;
  readonly graphs: FastConformerGraphs;
  readonly vocabulary: Vocabulary;
  readonly tokensPerFrameMax: number;
}

/** A hypothesis with the frames of every token. */
export interface FastConformerHypothesis extends Hypothesis {
  readonly places: readonly Pick<Emission, 'frame' | 'duration'>[];
}

/** Nobody speaks faster; above this rate the decoder is looping. */
const TOKENS_PER_SECOND_MAX = 24;
const TOKENS_MIN = 16;

/** Ignores the language, drafts and preceding text, which this family cannot use. */
export const transcribe = async (
  model: FastConformer,
  encoded: EncodedFrames,
  audioSamples: number,
  { terms, checkpoint }: Pick<TranscribeOptions, 'terms' | 'checkpoint'>,
): Promise<FastConformerHypothesis> => {
  const { vocabulary } = model;
  const { joint } = model.graphs;
  const tokensMax = Math.ceil(TOKENS_MIN + (audioSamples / SAMPLE_RATE_HZ) * TOKENS_PER_SECOND_MAX);
  checkpoint();
  if (!joint) {
    const emissions = decodeCtc(encoded).filter(({ token }) => !vocabulary.isControl(token));
    const hypothesis = described(emissions, vocabulary, tokensMax);
    if (!terms || hypothesis.degenerate) return hypothesis;
    return withTerms(model, hypothesis, terms, ctcScores(encoded, emissions), checkpoint);
  }
  const heard = await decodeTransducer(joint, encoded, {
    vocabularySize: vocabulary.size,
    tokensPerFrameMax: model.tokensPerFrameMax,
    tokensMax,
    keepsTrail: terms !== undefined,
    textOf: (tokens) => vocabulary.text(tokens),
    checkpoint,
  });
  // Control tokens would lengthen the adjacent words.
  const isWritten = (_: unknown, nth: number) => !vocabulary.isControl(heard.emissions[nth]?.token ?? -1);
  const decoded = { emissions: heard.emissions.filter(isWritten), trail: heard.trail.filter(isWritten) };
  const hypothesis = described(decoded.emissions, vocabulary, tokensMax, heard.isLooping);
  if (!terms || hypothesis.degenerate || decoded.trail.length <= decoded.emissions.length) return hypothesis;
  const rows = decoded.trail.map(({ row }) => row);
  const score = scoreByRows(rows, async (branches) => {
    const after: (readonly LogitRow[])[] = [];
    for (const { count, tokens } of branches) {
      checkpoint();
      after.push(await forceTokens(joint, encoded, decoded, vocabulary, count, tokens));
    }
    return after;
  });
  return withTerms(model, hypothesis, terms, { rows, score }, checkpoint);
};

const withTerms = async (
  { id, vocabulary }: FastConformer,
  hypothesis: FastConformerHypothesis,
  terms: TermList,
  scores: Pick<ForcedDecoding, 'rows' | 'score'>,
  checkpoint: () => void,
): Promise<FastConformerHypothesis> => {
  const forced: ForcedDecoding = {
    model: id,
    encode: vocabulary.encode,
    pieces: vocabulary.pieces,
    endToken: vocabulary.blank,
    ...scores,
  };
  const applied = await applyTerms(hypothesis, terms, forced, { checkpoint });
  if (!applied.terms) return hypothesis;
  return { ...applied, text: vocabulary.text(applied.tokens), places: placesAfter(hypothesis, applied) };
};

const described = (
  emissions: readonly Emission[],
  vocabulary: Vocabulary,
  tokensMax: number,
  isLooping = false,
): FastConformerHypothesis => {
  const all = emissions.map(({ token }) => token);
  const loop = findLoop(all, (tokens) => vocabulary.text(tokens));
  const kept = emissions.slice(0, loop?.keep ?? tokensMax);
  const tokens = all.slice(0, kept.length);
  const logProbabilities = kept.map(({ logProbability }) => logProbability);
  const text = vocabulary.text(tokens);
  return {
    text,
    averageLogProbability: logProbabilities.reduce((sum, value) => sum + value, 0) / Math.max(1, kept.length),
    noSpeechProbability: 0,
    degenerate: isLooping || kept.length < emissions.length || isRepetitive(text),
    stoppedEarly: false,
    tokens,
    logProbabilities,
    places: kept,
  };
};

/** The tokens of a term share the time of the tokens that they replace. */
const placesAfter = (
  { places }: FastConformerHypothesis,
  { tokens, terms = [] }: Hypothesis,
): FastConformerHypothesis['places'] => {
  const result: Pick<Emission, 'frame' | 'duration'>[] = [];
  let at = 0;
  for (const { from, to, replaced } of terms) {
    const kept = from - result.length;
    result.push(...places.slice(at, at + kept));
    at += kept;
    const start = places[at]?.frame ?? 0;
    const last = places[at + replaced - 1];
    const end = last ? last.frame + Math.max(1, last.duration) : start + 1;
    const share = (end - start) / (to - from);
    for (let nth = 0; nth < to - from; nth++) result.push({ frame: start + nth * share, duration: share });
    at += replaced;
  }
  return [...result, ...places.slice(at)].slice(0, tokens.length);
};
