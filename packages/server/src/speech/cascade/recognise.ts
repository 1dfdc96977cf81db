// The way of one job through a tier's models: the fast English one first, Whisper where that is unsure.
import { isHallucination } from '../decoding/hallucination.ts';
import { settleScript } from '../language/chinese-script.ts';
import { whisperCodeOf } from '../language/codes.ts';
import { rankGuesses } from '../language/prior.ts';
import type { MoonshineModel } from '../moonshine/model.ts';
import { type MoonshineTranscript, transcribeEnglish } from '../moonshine/transcribe.ts';
import { moonshineWords, moonshineWordTimes } from '../moonshine/word-times.ts';
import type { LanguageGuess, RecognisedWord, RecogniseJob, Recognition } from '../recogniser.ts';
import type { LanguageProbabilities } from '../whisper/detect-language.ts';
import type { Transcript, Whisper } from '../whisper/transcribe.ts';
import { whisperWords, whisperWordTimes } from '../whisper/word-times.ts';
import {
  type EnglishHypothesis,
  englishProbability,
  isTrusted,
  isUsable,
  type LanguagePrior,
  settleEnglish,
} from './english-trust.ts';
import { hear } from './hear.ts';
import { mergeReadings } from './merge-transcripts.ts';
import type { Tier } from './tiers.ts';

const SAMPLES_PER_MS = 16;

/** What the English model heard, with how sure it was of each word. */
type English = MoonshineTranscript & EnglishHypothesis & { readonly words: readonly RecognisedWord[] };

export interface TierModels {
  readonly tier: Tier;
  readonly english: { readonly id: string; readonly model: MoonshineModel };
  readonly whisper: Whisper;
  readonly listener: Whisper;
}

export const recogniseWith = async (
  models: TierModels,
  job: RecogniseJob,
  checkpoint: () => void,
): Promise<Recognition> => {
  const startedAt = performance.now();
  const { english, tier } = models;
  const audioMs = job.samples.length / SAMPLES_PER_MS;
  const known = models.whisper.tokenizer.languages;
  const prior: LanguagePrior = {
    belief: job.language && whisperCodeOf(job.language, known),
    hint: job.languageHint && whisperCodeOf(job.languageHint, known),
  };
  const answer = (
    engine: string,
    heard: { text: string; averageLogProbability: number; noSpeechProbability: number },
    languages: readonly LanguageGuess[],
    words: readonly RecognisedWord[],
    languageChange: number | null = null,
  ): Recognition => ({
    ...heard,
    words,
    languageChange,
    languages: heard.text === '' ? [] : languages,
    engine,
    computeMs: performance.now() - startedAt,
  });

  const readEnglish = async (whenLost: 'read on' | 'stop'): Promise<English> => {
    const heard = await transcribeEnglish(english.model, job.samples, checkpoint, whenLost);
    return { ...heard, words: moonshineWords(heard) };
  };
  let moonshine: English | null = null;
  if (prior.belief === null || prior.belief === 'en') {
    moonshine = await readEnglish(prior.belief === null ? 'stop' : 'read on');
    const wantsTerms = job.vocabulary.length > 0 && tier.vocabulary === 'always';
    if (isTrusted(moonshine, prior, tier.trust) && !wantsTerms) return answerEnglish(moonshine);
  }
  const { whisper, audio, transcript, language, languages, languageChange } = await hear({
    ...models,
    job,
    prior,
    english: moonshine,
    checkpoint,
  });
  // Poor English that Whisper cannot read either: what the English model makes of it is better than nothing.
  if (moonshine?.isLost && language === 'en' && !isUsable(transcript)) moonshine = await readEnglish('read on');
  if (moonshine && language === 'en') {
    const kept = settleEnglish(moonshine, transcript);
    if (kept === 'moonshine') return { ...(await answerEnglish(moonshine, languages)), languageChange };
    if (kept === 'both') {
      const words = job.wantWordTimes
        ? mergeReadings(
            await moonshineWordTimes(english.model, moonshine, audioMs),
            await whisperWordTimes(whisper, audio, transcript, language, audioMs),
          )
        : mergeReadings(moonshine.words, whisperWords(whisper, transcript));
      const text = words.map((word) => word.text).join(' ');
      const sure = Math.max(moonshine.averageLogProbability, transcript.averageLogProbability);
      const evidence = { ...figures(transcript), averageLogProbability: sure, text };
      return answer(
        `${english.id}+${whisper.id}`,
        { ...evidence, text: isHallucination(evidence) ? '' : text },
        rankGuesses(languages),
        job.wantWordTimes ? words : [],
        languageChange,
      );
    }
  }
  const usable = !transcript.degenerate && !isHallucination(transcript);
  const words =
    usable && job.wantWordTimes ? await whisperWordTimes(whisper, audio, transcript, language, audioMs) : [];
  const settle = (text: string) => settleScript(text, language, job.languageHint);
  return answer(
    whisper.id,
    { ...figures(transcript), text: usable ? settle(transcript.text) : '' },
    rankGuesses(languages),
    words.map((word) => ({ ...word, text: settle(word.text) })),
    languageChange,
  );

  async function answerEnglish(heard: MoonshineTranscript, languages?: LanguageProbabilities): Promise<Recognition> {
    const guesses = languages
      ? rankGuesses(languages)
      : [{ language: 'en', probability: englishProbability(heard.averageLogProbability) }];
    const { text, averageLogProbability } = heard;
    const evidence = { text, averageLogProbability, noSpeechProbability: 0 };
    if (isHallucination(evidence)) return answer(english.id, { ...evidence, text: '' }, [], []);
    const words = job.wantWordTimes ? await moonshineWordTimes(english.model, heard, audioMs) : [];
    return answer(english.id, evidence, guesses, words);
  }
};

const figures = ({ averageLogProbability, noSpeechProbability }: Transcript) => ({
  averageLogProbability,
  noSpeechProbability,
});
