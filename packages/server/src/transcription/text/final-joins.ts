// Joins sentences across finals: one cut by a pause or a flush gets no full stop, and the next final no capital.

import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import { NEVER_LAST } from '../../refine/passes/words/sentence-ends.ts';
import { LOWER_CASE_WORDS } from '../../refine/passes/words/window-joins.ts';
import type { Edit, Refined } from '../../refine/refiner.ts';
import { bareWord } from '../../speech/cascade/english/common-words.ts';
import type { Recognition } from '../../speech/recogniser.ts';
import type { RecognisedWindow } from '../recognition/assemble.ts';
import type { Final } from '../transcriber.ts';

/** Whether a final continues the previous one's sentence, and whether the next one continues its sentence. */
export interface FinalJoin {
  readonly continuesBefore: boolean;
  readonly continuesAfter: boolean;
}

/** After a shorter pause, a sentence ends only if the model is sure that it does. */
export const SHORT_PAUSE_MS = 700;
const STOP_PROBABILITY_MIN = 0.8;
/** A voice that ends this close to a flush was cut by it. */
const CUT_MS = 200;
const STOP = /(?<!\.)\.$/u;
/** "I mean...": models write an ellipsis where a pause cuts a sentence. */
const TRAILS_OFF = /\s*(?:\.{3}|…)$/u;

const hadVoiceAtEnd = (window: RecognisedWindow['window']): boolean => {
  const endSample = window.slices.at(-1)?.endSample ?? 0;
  const voicedEnd = window.voiced?.at(-1)?.endSample ?? 0;
  return endSample - voicedEnd < CUT_MS * SAMPLES_PER_MS;
};

/** Models that give no probability are trusted. */
const hasSureStop = ({ text, words, sentenceEnd }: Recognition): boolean => {
  const probability = Math.min(words.at(-1)?.markProbability ?? 1, sentenceEnd ?? 1);
  return STOP.test(text.trim()) && probability >= STOP_PROBABILITY_MIN;
};

/** How a final ended, and the pause that ends an utterance. */
export interface FinalEnd {
  readonly endedBy: Final['endedBy'];
  readonly endpointingMs: number;
}

/** Whether the sentence continues after these windows. */
export const isOpenEnded = (recognised: readonly RecognisedWindow[], { endedBy, endpointingMs }: FinalEnd): boolean => {
  const last = recognised.at(-1);
  const text = last?.recognition.text.trim() ?? '';
  if (!last || text === '' || endedBy === 'end') return false;
  if (!STOP.test(text) && !TRAILS_OFF.test(text) && !/[\p{L}\p{N}',]$/u.test(text)) return false;
  if (endedBy === 'flush' && hadVoiceAtEnd(last.window)) return true;
  if (endedBy === 'endpoint' && endpointingMs < SHORT_PAUSE_MS && !hasSureStop(last.recognition)) return true;
  return NEVER_LAST.has(bareWord(text.split(/\s+/u).at(-1)!));
};

/** Lowers the first letter if the word is lower case inside a sentence, or if `heard` starts in lower case. */
const lowered = (text: string, heard = ''): string => {
  const [first = ''] = text.trimStart().split(/\s/u);
  const start = text.length - text.trimStart().length;
  if (!LOWER_CASE_WORDS.has(bareWord(first)) && !/^\s*\p{Ll}/u.test(heard)) return text;
  return text.slice(0, start) + text.charAt(start).toLowerCase() + text.slice(start + 1);
};

const withoutStop = (text: string): string => text.trimEnd().replace(TRAILS_OFF, '').replace(STOP, '');

/** Removes the capital at the start and the full stop at the end of recognised windows, where the join requires it. */
export const joinRecognised = (
  recognised: readonly RecognisedWindow[],
  { continuesBefore, continuesAfter }: FinalJoin,
): readonly RecognisedWindow[] => {
  const change =
    (at: number, write: (text: string) => string, place: 0 | -1) => (each: RecognisedWindow, index: number) => {
      if (index !== at) return each;
      const { text, words } = each.recognition;
      const changed = words.at(place);
      const written = words.map((word) => (word === changed ? { ...word, text: write(word.text) } : word));
      return { ...each, recognition: { ...each.recognition, text: write(text), words: written } };
    };
  const spoken = recognised.map(({ recognition }) => recognition.text.trim() !== '');
  let joined = recognised;
  if (continuesBefore) joined = joined.map(change(spoken.indexOf(true), (text) => lowered(text), 0));
  if (continuesAfter) joined = joined.map(change(spoken.lastIndexOf(true), withoutStop, -1));
  return joined;
};

/** Removes the capital and the full stop that refinement added, where the join requires it. */
export const joinRefined = (refined: Refined, { continuesBefore, continuesAfter }: FinalJoin): Refined => {
  const { rawText } = refined;
  const edits = refined.edits.flatMap((edit): Edit[] => {
    let { after } = edit;
    if (continuesBefore && edit.rawStart === 0) after = lowered(after, edit.before);
    if (continuesAfter && edit.rawEnd === rawText.length && !STOP.test(edit.before)) after = withoutStop(after);
    return after === edit.before ? [] : [{ ...edit, after }];
  });
  let text = '';
  let end = 0;
  for (const edit of edits) {
    text += rawText.slice(end, edit.rawStart) + edit.after;
    end = edit.rawEnd;
  }
  return { ...refined, text: text + rawText.slice(end), edits };
};
