// The way of one job through a tier's models: the fast English one first, Whisper where that is unsure.
import { isInvented } from '../decoding/invention.ts';
import { isoOf, whisperCodeOf } from '../language/codes.ts';
import { settleScript } from '../language/script.ts';
import { textLanguages } from '../language/text-language.ts';
import { likeliest, rankGuesses, weighLanguages } from '../language/weigh.ts';
import type { MoonshineModel } from '../moonshine/model.ts';
import { type MoonshineTranscript, transcribeEnglish } from '../moonshine/transcribe.ts';
import { moonshineWords, moonshineWordTimes } from '../moonshine/word-times.ts';
import type { HeardWord, LanguageGuess, RecogniseJob, Recognition } from '../recogniser.ts';
import { detectLanguage, type LanguageProbabilities } from '../whisper/language.ts';
import type { DecoderMemory } from '../whisper/model.ts';
import { encodeAudio, type Transcript, transcribe, type Whisper } from '../whisper/transcribe.ts';
import { whisperWords, whisperWordTimes } from '../whisper/word-times.ts';
import { mergeReadings } from './merge.ts';
import { englishProbability, isTrusted, type LanguagePrior, settleEnglish } from './policy.ts';
import type { Tier } from './tiers.ts';

const SAMPLES_PER_MS = 16;
/** Of another language than believed, to hear the window again in it. */
const OVERRULE_PROBABILITY = 0.7;
/** Below this the language is listened for a second time: once per session, so a careful look is worth its price. */
const SURE_PROBABILITY = 0.8;
/** Below this the second guess is tried too. */
const UNSURE_PROBABILITY = 0.5;
/** Log-probability that agreement with the text's own language is worth. */
const TEXT_AGREES = 0.15;
const VOCABULARY_TOKENS_MAX = 96;

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
  const { english, whisper, tier } = models;
  const known = whisper.vocabulary.languages;
  const prior: LanguagePrior = {
    belief: job.language && whisperCodeOf(job.language, known),
    hint: job.languageHint && whisperCodeOf(job.languageHint, known),
  };
  const answer = (
    engine: string,
    heard: { text: string; averageLogProbability: number; noSpeechProbability: number },
    languages: readonly LanguageGuess[],
    words: readonly HeardWord[],
  ): Recognition => ({
    ...heard,
    words,
    languages: heard.text === '' ? [] : languages,
    engine,
    computeMs: performance.now() - startedAt,
  });

  let moonshine: MoonshineTranscript | null = null;
  if (prior.belief === null || prior.belief === 'en') {
    moonshine = await transcribeEnglish(english.model, job.samples, checkpoint);
    const wantsTerms = job.vocabulary.length > 0 && tier.vocabulary === 'always';
    if (isTrusted(moonshine, prior, tier.trust) && !wantsTerms) return answerEnglish(moonshine);
  }
  const audio = await encodeAudio(whisper, job.samples);
  checkpoint();
  const { transcript, language, languages } = await hear(models, audio, job, prior, moonshine, checkpoint);
  const audioMs = job.samples.length / SAMPLES_PER_MS;
  if (moonshine && language === 'en') {
    const kept = settleEnglish(moonshine, transcript);
    if (kept === 'moonshine') return answerEnglish(moonshine, languages);
    if (kept === 'both') {
      const words = job.wantWordTimes
        ? mergeReadings(
            await moonshineWordTimes(english.model, moonshine, audioMs),
            await whisperWordTimes(whisper, audio, transcript, language, audioMs),
          )
        : mergeReadings(moonshineWords(moonshine), whisperWords(whisper, transcript));
      const text = words.map((word) => word.text).join(' ');
      const sure = Math.max(moonshine.averageLogProbability, transcript.averageLogProbability);
      const evidence = { ...figures(transcript), averageLogProbability: sure, text };
      return answer(
        `${english.id}+${whisper.id}`,
        { ...evidence, text: isInvented(evidence) ? '' : text },
        rankGuesses(languages),
        job.wantWordTimes ? words : [],
      );
    }
  }
  const usable = !transcript.degenerate && !isInvented(transcript);
  const words =
    usable && job.wantWordTimes ? await whisperWordTimes(whisper, audio, transcript, language, audioMs) : [];
  const settle = (text: string) => settleScript(text, language, job.languageHint);
  return answer(
    whisper.id,
    { ...figures(transcript), text: usable ? settle(transcript.text) : '' },
    rankGuesses(languages),
    words.map((word) => ({ ...word, text: settle(word.text) })),
  );

  async function answerEnglish(heard: MoonshineTranscript, languages?: LanguageProbabilities): Promise<Recognition> {
    const guesses = languages
      ? rankGuesses(languages)
      : [{ language: 'en', probability: englishProbability(heard.averageLogProbability) }];
    const { text, averageLogProbability } = heard;
    const evidence = { text, averageLogProbability, noSpeechProbability: 0 };
    if (isInvented(evidence)) return answer(english.id, { ...evidence, text: '' }, [], []);
    const words = job.wantWordTimes
      ? await moonshineWordTimes(english.model, heard, job.samples.length / SAMPLES_PER_MS)
      : [];
    return answer(english.id, evidence, guesses, words);
  }
};

const figures = ({ averageLogProbability, noSpeechProbability }: Transcript) => ({
  averageLogProbability,
  noSpeechProbability,
});

interface Heard {
  readonly transcript: Transcript;
  /** Whisper's code. */
  readonly language: string;
  readonly languages: LanguageProbabilities;
}

/** Whisper's reading, in the language believed or heard; heard again where the two disagree. */
const hear = async (
  { whisper, listener, tier }: TierModels,
  audio: DecoderMemory,
  job: RecogniseJob,
  prior: LanguagePrior,
  moonshine: MoonshineTranscript | null,
  checkpoint: () => void,
): Promise<Heard> => {
  const previous = vocabularyTokens(whisper, job.vocabulary);
  const audioSeconds = job.samples.length / (1000 * SAMPLES_PER_MS);
  const read = (language: string) =>
    transcribe(whisper, audio, {
      language,
      audioSeconds,
      previous,
      draft: language === 'en' && moonshine && !moonshine.degenerate ? moonshine.text : '',
      temperatures: tier.temperatures,
      checkpoint,
    });
  if (prior.belief !== null && prior.belief !== 'en') {
    const transcript = await read(prior.belief);
    const languages = weighLanguages(transcript.languages, prior);
    const [language, probability] = likeliest(languages);
    if (language === prior.belief || probability < OVERRULE_PROBABILITY) {
      return { transcript, language: prior.belief, languages };
    }
    return { transcript: await read(language), language, languages };
  }
  const languages = await listen(listener, listener === whisper ? audio : null, job, prior, checkpoint);
  const [language, probability] = likeliest(languages);
  const transcript = await read(language);
  if (probability >= UNSURE_PROBABILITY) return { transcript, language, languages };
  const others = new Map([...languages].filter(([code]) => code !== language));
  const [second] = likeliest(others);
  const alternative = await read(second);
  const isSecond = support(alternative, second) > support(transcript, language);
  return isSecond
    ? { transcript: alternative, language: second, languages: promote(languages, second) }
    : { transcript, language, languages };
};

/** The language heard; in doubt the whole window is listened to instead, as Whisper was trained. */
const listen = async (
  listener: Whisper,
  audio: DecoderMemory | null,
  job: RecogniseJob,
  prior: LanguagePrior,
  checkpoint: () => void,
): Promise<LanguageProbabilities> => {
  const detect = (memory: DecoderMemory) => detectLanguage(listener.model, listener.vocabulary, memory);
  const first = await detect(audio ?? (await encodeAudio(listener, job.samples)));
  checkpoint();
  const weighed = weighLanguages(first, prior);
  if (likeliest(weighed)[1] >= SURE_PROBABILITY) return weighed;
  const second = await detect(await encodeAudio(listener, job.samples, 'whole'));
  checkpoint();
  return weighLanguages(second, prior);
};

/** How well a text holds up in the language it was read in. */
const support = (transcript: Transcript, language: string): number => {
  if (transcript.degenerate) return Number.NEGATIVE_INFINITY;
  const agrees = textLanguages(transcript.text)[0]?.language === isoOf(language);
  return transcript.averageLogProbability + (agrees ? TEXT_AGREES : 0);
};

/** The same guesses with the second one first: the text decided what the sound left open. */
const promote = (languages: LanguageProbabilities, code: string): LanguageProbabilities => {
  const [first, probability] = likeliest(languages);
  return new Map([...languages, [first, languages.get(code) ?? 0], [code, probability]]);
};

/** Terms as text that was said before: Whisper then spells them the same way. */
const vocabularyTokens = ({ vocabulary }: Whisper, terms: readonly string[]): number[] =>
  terms.length === 0 ? [] : vocabulary.encode(` ${terms.join(', ')}.`).slice(0, VOCABULARY_TOKENS_MAX);
