// Estimates whether a sentence ends at a pause. Models write a full stop where the audio ends, so more audio is added.
import { SAMPLE_RATE_HZ, SAMPLES_PER_MS } from '../../../lib/sample-rate.ts';
import type { AcousticModel } from '../../acoustic/acoustic-model.ts';
import { joinRows } from '../../acoustic/join-rows.ts';
import type { Recognition, SpeechWindow } from '../../recogniser.ts';

/** Speech before the pause that is read again; it starts this long before a word. */
const BEFORE_MS = 8_000;
const LEAD_MS = 100;
/** The added audio is the beginning of the window: the same voice, in the same room. */
const AFTER_SAMPLES = SAMPLE_RATE_HZ;
const STOP = /[\p{L}\p{N}]\.$/u;
/** A less likely full stop is dropped in any case, so the model is not asked. */
const STOP_PROBABILITY_MIN = 0.8;

/** The probability of the full stop at the end of an English text; undefined without an answer. */
export const sentenceEnd = async (
  model: AcousticModel,
  { samples }: Pick<SpeechWindow, 'samples'>,
  { text, words, languages }: Recognition,
  checkpoint: () => void,
): Promise<number | undefined> => {
  const { markProbability = 0 } = words.at(-1) ?? {};
  if (languages[0]?.language !== 'en' || !STOP.test(text) || markProbability < STOP_PROBABILITY_MIN) return undefined;
  const fromMs = samples.length / SAMPLES_PER_MS - BEFORE_MS;
  const said = words.slice(words.findIndex(({ startMs }) => startMs >= fromMs));
  const fromSample = fromMs <= 0 ? 0 : Math.max(0, Math.round((said[0]!.startMs - LEAD_MS) * SAMPLES_PER_MS));
  const speech = await model.encode(joinRows(samples.subarray(fromSample), samples.subarray(0, AFTER_SAMPLES)));
  checkpoint();
  const committedText = said.map((word) => word.text).join(' ');
  const hypothesis = await speech.transcribe({ language: 'en', committedText, checkpoint });
  const read = speech.words(hypothesis).slice(0, said.length);
  // Ignore a model that does not continue the given text.
  return read.map((word) => word.text).join(' ') === committedText ? read.at(-1)?.markProbability : undefined;
};
