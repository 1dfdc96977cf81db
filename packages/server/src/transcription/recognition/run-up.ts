// Reads a short utterance together with the speech right before it: a few words alone are easily misrecognised.
import { joinSamples } from '../../audio/join-samples.ts';
import { secondsToSamples } from '../../audio/pcm.ts';
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import type { RecognisedWord, Recognition } from '../../speech/recogniser.ts';
import { shifted } from './applied-terms.ts';
import { offsetsOf, type RecognisedWindow } from './assemble.ts';
import { countKnown } from './known-words.ts';
import { PAUSE_SAMPLES_MAX } from './prompt-context.ts';
import type { WindowAudio } from './recognise-window.ts';

type Audio = Omit<WindowAudio, 'pauses'>;
type KnownWord = Pick<RecognisedWord, 'text'>;

/** Limit for run-up plus utterance. Up to this length, Whisper needs no more time than for the utterance alone. */
const TOGETHER_SAMPLES_MAX = secondsToSamples(7);
/** The same for English, whose models need time in proportion to the audio, however short it is. */
const TOGETHER_ENGLISH_SAMPLES_MAX = secondsToSamples(14);
/** A word this far on the wrong side of the pause counts as one edit. */
const MS_PER_EDIT = 300;
/** New words with a lower average confidence may be in another language. */
const CONFIDENCE_MIN = 0.5;
/** A change of language this close to the utterance's start counts as between run-up and utterance. */
const CHANGE_SAMPLES = secondsToSamples(0.5);

/** An utterance together with the speech before it. */
export interface RunUp {
  readonly samples: Float32Array;
  readonly startSample: number;
  /** Where the utterance begins in the samples. */
  readonly utteranceAt: number;
  /** The known text of the run-up; null until all of it is recognised. */
  readonly known: () => readonly RecognisedText[] | null;
  /** Resolves when recognition of the run-up has ended, successfully or not. */
  readonly recognised: Promise<unknown>;
}

interface RecognisedText {
  readonly words: readonly KnownWord[];
  readonly language: string | undefined;
}

interface PastUtterance extends Audio {
  /** Null until it is recognised. */
  texts: readonly RecognisedText[] | null;
  readonly recognised: Promise<unknown>;
}

/** The last utterances of a stream that may serve as a run-up. */
export class RunUps {
  #past: readonly PastUtterance[] = [];

  add(audio: Audio, result: Promise<readonly RecognisedWindow[]>): void {
    const recognised = result.then(
      (windows) => {
        utterance.texts = windows.map(({ recognition }) => ({
          words: wordsOf(recognition),
          language: recognition.languages[0]?.language,
        }));
      },
      () => undefined,
    );
    const utterance: PastUtterance = { ...audio, texts: null, recognised };
    this.#past = [...this.#past, utterance];
    while (lengthOf(this.#past) > TOGETHER_ENGLISH_SAMPLES_MAX) this.#past = this.#past.slice(1);
  }

  /** Null when nothing was said right before, or too much to read again. Only known English may use the long limit. */
  before(audio: Audio, length: 'short' | 'any'): RunUp | null {
    const long = length === 'any' ? this.#upTo(TOGETHER_ENGLISH_SAMPLES_MAX, audio) : null;
    return long && isEnglish(long) ? long : this.#upTo(TOGETHER_SAMPLES_MAX, audio);
  }

  #upTo(samplesMax: number, audio: Audio): RunUp | null {
    let used: readonly PastUtterance[] = [];
    let { startSample } = audio;
    for (const utterance of this.#past.filter(({ endSample }) => endSample <= audio.startSample).reverse()) {
      const isFar = startSample - utterance.endSample > PAUSE_SAMPLES_MAX;
      if (isFar || lengthOf([audio, utterance, ...used]) > samplesMax) break;
      used = [utterance, ...used];
      startSample = utterance.startSample;
    }
    if (used.length === 0) return null;
    return {
      samples: joinSamples([...used, audio].map(({ samples }) => samples)),
      startSample,
      utteranceAt: lengthOf(used),
      known: () => (used.every(({ texts }) => texts !== null) ? used.flatMap(({ texts }) => texts ?? []) : null),
      recognised: Promise.all(used.map(({ recognised }) => recognised)),
    };
  }
}

const isEnglish = ({ known }: RunUp): boolean => {
  const texts = known() ?? [];
  return texts.length > 0 && texts.every(({ language }) => language === 'en');
};

/** The utterance's part of a reading; null when it cannot be separated or seems to be in another language. */
export const withoutRunUp = (recognition: Recognition, { known, utteranceAt }: RunUp): Recognition | null => {
  const { text, words, languages, languageChange } = recognition;
  const before = known();
  const offsets = offsetsOf(text, words);
  if (before === null || offsets === null) return null;
  // Words in another language would not match.
  if (before.some(({ language }) => language !== languages[0]?.language)) return null;
  if (languageChange !== null && Math.abs(languageChange - utteranceAt) <= CHANGE_SAMPLES) return null;
  const utteranceMs = utteranceAt / SAMPLES_PER_MS;
  const knownWords = before.flatMap((each) => each.words);
  const first = countKnown(words, knownWords, (count) => {
    const [last, next] = [words[count - 1], words[count]];
    const tooLateMs = last ? last.endMs - utteranceMs : 0;
    const tooEarlyMs = next ? utteranceMs - next.startMs : 0;
    return Math.max(0, tooLateMs, tooEarlyMs) / MS_PER_EDIT;
  });
  const rest = words.slice(first);
  const confidence = rest.reduce((sum, word) => sum + word.confidence, 0) / rest.length;
  if (rest.length === 0 || confidence < CONFIDENCE_MIN) return null;
  const { terms, ...others } = recognition;
  const cut = offsets[first] ?? 0;
  const kept = terms?.filter(({ start }) => start >= cut);
  return {
    ...others,
    ...(kept && kept.length > 0 && { terms: kept.map((term) => shifted(term, -cut)) }),
    text: text.slice(cut),
    words: rest.map((word) => ({
      ...word,
      startMs: Math.max(0, word.startMs - utteranceMs),
      endMs: Math.max(0, word.endMs - utteranceMs),
    })),
    languageChange: languageChange !== null && languageChange > utteranceAt ? languageChange - utteranceAt : null,
  };
};

const wordsOf = ({ text, words }: Recognition): readonly KnownWord[] =>
  words.length > 0 || text.trim() === ''
    ? words
    : text
        .trim()
        .split(/\s+/u)
        .map((word) => ({ text: word }));

const lengthOf = (parts: readonly Pick<Audio, 'samples'>[]): number =>
  parts.reduce((total, { samples }) => total + samples.length, 0);

/** The draft for run-up and utterance together; empty until the run-up is recognised. */
export const draftAlong = ({ known }: RunUp, draft: string): string => {
  const before = known();
  if (before === null) return '';
  const words = before.flatMap((each) => each.words.map(({ text }) => text));
  return [...words, draft].join(' ').trim();
};
