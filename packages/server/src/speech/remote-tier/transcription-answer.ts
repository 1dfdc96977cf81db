// Parses the response of an OpenAI-compatible server; servers differ, so only the text is required.
import { z } from 'zod';
import { languageCode } from '../../lib/language-names.ts';
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import { textLanguages } from '../language/text-language.ts';
import type { LanguageGuess, RecognisedWord, Recognition, SpeechWindow } from '../recogniser.ts';
import { RemoteFault } from './transcription-request.ts';

/** For servers that report no confidence: high enough to be trusted. */
const LOG_PROBABILITY_UNKNOWN = -0.2;
/** Probability of a language reported by the server, and of one detected from the text. */
const SAID_PROBABILITY = 0.95;
const READ_PROBABILITY = 0.85;

const answer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })).nullish(),
  segments: z
    .array(z.object({ avg_logprob: z.number().nullish(), no_speech_prob: z.number().nullish() }))
    .nullish()
    .catch(null),
});
type Answer = z.infer<typeof answer>;

/** Nobody speaks more than 30 characters per second, but a looping model writes more, up to its own limit. */
const CHARACTERS_MAX = { always: 4_000, perSecond: 100 } as const;

const isTooLong = ({ text, words }: Answer, { samples }: SpeechWindow): boolean => {
  const max = CHARACTERS_MAX.always + (CHARACTERS_MAX.perSecond * samples.length) / SAMPLES_PER_MS / 1000;
  const letters = words?.reduce((sum, { word }) => sum + word.length + 1, 0) ?? 0;
  // Words may include the spaces and punctuation around them.
  return text.length > max || letters > 2 * max;
};

const languagesOf = async ({ language, text }: Answer, window: SpeechWindow): Promise<LanguageGuess[]> => {
  const code = language ? languageCode(language).toLowerCase().split(/[-_]/)[0]! : null;
  if (code !== null && /^[a-z]{2}$/.test(code)) return [{ language: code, probability: SAID_PROBABILITY }];
  if (window.language !== null) return [{ language: window.language, probability: SAID_PROBABILITY }];
  const read = await textLanguages(text);
  return read ? [{ language: read.best, probability: READ_PROBABILITY }] : [];
};

/** Distributes words without times over the window, by length. */
const spreadWords = (text: string, lengthMs: number, confidence: number): RecognisedWord[] => {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const letters = words.reduce((sum, word) => sum + word.length + 1, 0);
  let at = 0;
  return words.map((word) => {
    const startMs = (lengthMs * at) / letters;
    at += word.length + 1;
    return { text: word, startMs, endMs: (lengthMs * at) / letters, confidence };
  });
};

const wordsOf = ({ words, text }: Answer, window: SpeechWindow, confidence: number): RecognisedWord[] => {
  const lengthMs = window.samples.length / SAMPLES_PER_MS;
  if (!words?.length) return spreadWords(text, lengthMs, confidence);
  const within = (seconds: number): number => Math.min(lengthMs, Math.max(0, 1000 * seconds));
  return words.map(({ word, start, end }) => ({
    text: word.trim(),
    startMs: within(start),
    endMs: within(Math.max(start, end)),
    confidence,
  }));
};

/** Rejects an invalid response with a RemoteFault that does not quote it. */
export const readAnswer = async (body: string, window: SpeechWindow): Promise<Recognition> => {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new RemoteFault('its response is not JSON', 'later');
  }
  const parsed = answer.safeParse(value);
  if (!parsed.success) throw new RemoteFault('its response is not a transcription', 'later');
  if (isTooLong(parsed.data, window)) throw new RemoteFault('its text is too long for the audio', 'later');
  const text = parsed.data.text.trim();
  const said = (parsed.data.segments ?? []).flatMap(({ avg_logprob }) => avg_logprob ?? []);
  const averageLogProbability =
    said.length > 0 ? Math.min(0, said.reduce((sum, one) => sum + one, 0) / said.length) : LOG_PROBABILITY_UNKNOWN;
  return {
    text,
    words:
      window.wantWordTimes && text !== ''
        ? wordsOf({ ...parsed.data, text }, window, Math.exp(averageLogProbability))
        : [],
    languages: text === '' ? [] : await languagesOf({ ...parsed.data, text }, window),
    languageChange: null,
    averageLogProbability,
  };
};
