// Joins recognised windows: text, words and segments with recording times, and the language of the recording.
import type { RecognisedWord, Recognition } from '../../speech/recogniser.ts';
import { voteLanguage, windowLanguage } from '../language/vote.ts';
import {
  recordingMs,
  sliceAt,
  stretchesOf,
  voicedMs,
  type Window,
  windowEndMs,
  windowSamples,
  windowStartMs,
} from '../planning/window.ts';
import type { TranscriptSegment } from '../transcriber.ts';
import { placeWords } from './place-words.ts';

export interface RecognisedWindow {
  readonly window: Window;
  readonly recognition: Recognition;
}

export interface Assembled {
  readonly segments: readonly TranscriptSegment[];
  readonly words: readonly RecognisedWord[];
  readonly language: string | null;
}

const confidenceOf = ({ averageLogProbability }: Recognition): number =>
  Math.min(1, Math.max(0, Math.exp(averageLogProbability)));

const wordsOf = ({ window, recognition }: RecognisedWindow): RecognisedWord[] => {
  let lastMs = windowStartMs(window);
  const words = recognition.words.map((word) => {
    // Make times monotonic: a word may end slightly after the next one begins.
    const startMs = Math.max(lastMs, recordingMs(window, word.startMs));
    const endMs = Math.max(startMs, recordingMs(window, word.endMs));
    lastMs = startMs;
    return { ...word, startMs, endMs };
  });
  return placeWords(words, stretchesOf(window.voiced ?? []));
};

/** Offset of each word in the text; null when the words do not spell the text. */
export const offsetsOf = (text: string, words: readonly RecognisedWord[]): number[] | null => {
  const offsets: number[] = [];
  let from = 0;
  for (const word of words) {
    const spelt = word.text.trim();
    const at = text.indexOf(spelt, from);
    if (at === -1) return null;
    offsets.push(at);
    from = at + spelt.length;
  }
  return offsets;
};

interface Part {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** The window's text, cut at the pauses it left out; whole without word times. */
const partsOf = (recognised: RecognisedWindow, words: readonly RecognisedWord[]): Part[] => {
  const { window, recognition } = recognised;
  const text = recognition.text.trim();
  const whole: Part = { text, startMs: windowStartMs(window), endMs: windowEndMs(window) };
  const offsets = window.slices.length > 1 && words.length > 0 ? offsetsOf(text, words) : null;
  if (!offsets) return [whole];
  const parts: Part[] = [];
  let first = 0;
  for (let index = 1; index <= words.length; index++) {
    const slice = sliceAt(window, recognition.words[first]!.startMs);
    if (index < words.length && sliceAt(window, recognition.words[index]!.startMs) === slice) continue;
    parts.push({
      // Text before the first word, such as an opening quote, belongs to it.
      text: text.slice(first === 0 ? 0 : offsets[first], offsets[index]).trim(),
      startMs: words[first]!.startMs,
      endMs: words[index - 1]!.endMs,
    });
    first = index;
  }
  return parts;
};

/** Computed from voice activity, which is independent of the recognising model. */
const silentShare = (window: Window): number =>
  Math.min(1, Math.max(0, 1 - window.voicedSamples / Math.max(1, windowSamples(window))));

/** `cutAtPauses`: also end segments at pauses that a window left out, if there are word times. */
export const assemble = (recognised: readonly RecognisedWindow[], cutAtPauses = true): Assembled => {
  const spoken = recognised.filter(({ recognition }) => recognition.text.trim() !== '');
  const words: RecognisedWord[] = [];
  const segments: TranscriptSegment[] = [];
  for (const each of spoken) {
    const windowWords = wordsOf(each);
    for (const word of windowWords) words.push(word);
    const language = windowLanguage(each.recognition);
    const confidence = confidenceOf(each.recognition);
    const noSpeechProbability = silentShare(each.window);
    for (const part of partsOf(each, cutAtPauses ? windowWords : []))
      segments.push({ ...part, language, confidence, noSpeechProbability });
  }
  const language = voteLanguage(spoken.map(({ window, recognition }) => ({ recognition, voicedMs: voicedMs(window) })));
  return { segments, words, language };
};
