// The messages of Deepgram's turn-based endpoint: parses the client's and renders the server's.
import type { Turn, TurnStep } from '../../../calls/transcript.ts';
import { roundedProbability, secondsOf } from '../../../lib/rounding.ts';
import { alternativeOf } from '../alternatives.ts';
import type { TextForm } from '../parameters.ts';
import { fieldsIn } from '../text-message.ts';
import { bareWord, shownWords } from '../word-filters.ts';
import { confidenceOf } from './thresholds.ts';

export type FluxCommand =
  | {
      readonly type: 'Configure';
      readonly thresholds: Readonly<Record<string, unknown>>;
      readonly keyterms: readonly string[] | undefined;
      /** Names of settings that cannot be changed while the stream is open. */
      readonly fixed: readonly string[];
    }
  | { readonly type: 'ForceEndTurn' };

export type FluxMessage = FluxCommand | { readonly type: 'CloseStream' } | { readonly type: 'KeepAlive' };

/** Enough for the largest list of terms. */
const TEXT_BYTES_MAX = 64 * 1024;
const CHANGEABLE = new Set(['type', 'thresholds', 'keyterms']);

/** Returns the message, or a sentence that says what is wrong with it. */
export const readFluxMessage = (text: Buffer): FluxMessage | string => {
  const fields = fieldsIn(text, TEXT_BYTES_MAX);
  if (typeof fields === 'string') return fields;
  const { type, thresholds, keyterms } = fields;
  if (type === 'CloseStream' || type === 'ForceEndTurn') return { type };
  if (type !== 'Configure') return { type: 'KeepAlive' };
  const fixed = Object.keys(fields).filter((name) => !CHANGEABLE.has(name));
  const given = (typeof thresholds === 'object' && thresholds !== null ? thresholds : {}) as Record<string, unknown>;
  if (keyterms !== undefined && !(Array.isArray(keyterms) && keyterms.every((term) => typeof term === 'string')))
    return 'keyterms must be a list of strings.';
  return { type, thresholds: given, keyterms, fixed };
};

const EVENTS: Readonly<Record<TurnStep, string>> = {
  started: 'StartOfTurn',
  updated: 'Update',
  eager_end: 'EagerEndOfTurn',
  resumed: 'TurnResumed',
  ended: 'EndOfTurn',
};

/** Null for the end of a turn that never started. */
export const turnInfo = (step: TurnStep, turn: Turn, text: TextForm) => {
  const { index, startMs, endMs, finals, interim, endProbability, hasStarted } = turn;
  if (!hasStarted) return null;
  const parts = finals.map(({ transcript }) => alternativeOf(shownWords(transcript, { text, replacements: [] })));
  const said = interim?.words ?? [];
  const texts = [...parts.map(({ transcript }) => transcript), said.map((word) => word.text.trim()).join(' ')];
  const words = [
    ...parts.flatMap((part) => part.words),
    ...said.map(({ text: word, startMs: from, endMs: to, confidence }) => ({
      word: bareWord(word.trim()),
      start: secondsOf(from),
      end: secondsOf(to),
      confidence,
    })),
  ];
  const languages = [...finals.map(({ transcript }) => transcript.detectedLanguage), interim?.language].filter(
    (language) => typeof language === 'string',
  );
  return {
    type: 'TurnInfo',
    event: EVENTS[step],
    turn_index: index,
    audio_window_start: secondsOf(startMs),
    audio_window_end: secondsOf(endMs),
    transcript: texts.filter((part) => part !== '').join(' '),
    words: words.map(({ word, start, end, confidence }) => ({ word, start, end, confidence })),
    end_of_turn_confidence: roundedProbability(confidenceOf(endProbability)),
    ...(languages.length > 0 && { languages: [...new Set(languages)] }),
  };
};
