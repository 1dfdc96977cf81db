// Whether a sentence ends at a pause. Where the sound ends, models write a full stop; so they are asked as if it went on.
import { SAMPLE_RATE_HZ, SAMPLES_PER_MS } from '../../../lib/sample-rate.ts';
import type { AcousticModel } from '../../acoustic/acoustic-model.ts';
import type { Recognition, SpeechWindow } from '../../recogniser.ts';

/** Speech before the pause that is read again, from shortly before the start of a word. */
const BEFORE_MS = 8_000;
const LEAD_MS = 100;
/** The beginning of the speech stands for what may follow: the same voice, in the same room. */
const AFTER_SAMPLES = SAMPLE_RATE_HZ;
const STOP = /[\p{L}\p{N}]\.$/u;
/** A less likely stop is not worth a question: it is left out in any case. */
const STOP_PROBABILITY_MIN = 0.8;

/** The probability of the full stop at the end of an English text; undefined where it is not asked. */
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
  const before = samples.subarray(fromSample);
  const after = samples.subarray(0, AFTER_SAMPLES);
  const together = new Float32Array(before.length + after.length);
  together.set(before);
  together.set(after, before.length);
  const speech = await model.encode(together);
  checkpoint();
  const committedText = said.map((word) => word.text).join(' ');
  const hypothesis = await speech.transcribe({ language: 'en', committedText, checkpoint });
  const read = speech.words(hypothesis).slice(0, said.length);
  // A model that does not continue after text that is given has no answer.
  return read.map((word) => word.text).join(' ') === committedText ? read.at(-1)?.markProbability : undefined;
};
