// The cascade: a job goes to the tier's fast English model first, and to the multilingual one where that is unsure.
import type { AcousticModel, EncodedSpeech, LanguageProbabilities, Transcript } from '../acoustic/acoustic-model.ts';
import { isUsable } from '../acoustic/acoustic-model.ts';
import { isHallucination } from '../decoding/hallucination.ts';
import { chooseScript } from '../language/chinese-script.ts';
import { isoOf, modelCodeOf } from '../language/codes.ts';
import { decideLanguage, type LanguageDecision } from '../language/decide-language.ts';
import { englishProbability, isEnglishInBoth } from '../language/english-evidence.ts';
import { findLanguageChange } from '../language/language-change.ts';
import { type LanguagePrior, rankGuesses } from '../language/prior.ts';
import type { RecognisedWord, RecogniseJob, Recognition } from '../recogniser.ts';
import { agree, readingOf, type SpokenTranscript, WEIGHTS } from './english-readings.ts';
import { chooseEnglish, isSure, isTrusted } from './english-trust.ts';
import type { TierModels } from './load-models.ts';
import { mergeTranscripts } from './merge-transcripts.ts';
import type { Tier } from './tiers.ts';
import { vote } from './vote.ts';

/** Pauses at which a change of language is looked for; in a believed language it is less likely. */
const PAUSES_UNKNOWN = 3;
const PAUSES_BELIEVED = 1;
/** English that the English model is sure of holds nothing else. */
const PAUSES_TRUSTED = 0;

/** What the English model recognised, with how sure it was of each word. */
interface EnglishTranscript extends Transcript {
  readonly words: readonly RecognisedWord[];
  readonly speech: EncodedSpeech;
}

/** What the multilingual model recognised, in the language that was decided. */
interface MultilingualTranscript extends LanguageDecision {
  readonly transcript: Transcript;
}

export const recogniseWith = async (
  models: TierModels,
  job: RecogniseJob,
  checkpoint: () => void,
): Promise<Recognition> => {
  if (job.task === 'translate') return translateWith(models, job, checkpoint);
  const { tier } = models;
  const prior = priorOf(models, job);
  let english: EnglishTranscript | null = null;
  let secondEnglish: SpokenTranscript | null = null;
  let stands = false;
  if (prior.belief === null || prior.belief === 'en') {
    const speech = await models.english.encode(job.samples);
    english = await transcribeEnglish(speech, job, prior.belief === null, checkpoint);
    const wantsVocabulary =
      job.vocabulary.length > 0 && tier.secondOpinionForVocabulary && !models.english.takesVocabulary;
    stands = isTrusted(english, prior, tier.trust);
    if (job.isInterim && seemsEnglish(english, prior, tier))
      return isUsable(english) ? answerEnglish(english, job, null) : answer('', english, [], []);
    const isAlone = tier.alone !== null && isSure(english, tier.alone);
    if (stands && models.secondEnglish && (wantsVocabulary || !isAlone)) {
      secondEnglish = await transcribeAlong(models.secondEnglish, job, english, checkpoint);
      const { transcript, speech } = secondEnglish;
      if (agree({ transcript: english, speech: english.speech }, secondEnglish))
        return answerEnglish({ ...transcript, words: speech.words(transcript), speech }, job, null);
    } else if (stands && !wantsVocabulary) return answerEnglish(english, job, null);
  }
  const decision = await decideLanguage(questionOf(models, job, prior, english, checkpoint));
  const second = await transcribeDecided(decision, tier, job, english, checkpoint);
  const pauses = job.pausePositions.slice(0, pausesToAskAt(prior, stands));
  const languageChange = await findLanguageChange(second.speech, pauses, job.samples.length);
  if (english && second.language === 'en') {
    // Poor English that neither model can transcribe well: the English model's whole text is better than nothing.
    if (english.isLost && !isUsable(second.transcript)) {
      english = await transcribeEnglish(english.speech, job, false, checkpoint);
    }
    if (models.secondEnglish) {
      secondEnglish ??= await transcribeAlong(models.secondEnglish, job, english, checkpoint);
      return { ...(await answerVoted(english, second, secondEnglish, job)), languageChange };
    }
    const kept = chooseEnglish(english, second.transcript);
    if (kept === 'english') return { ...(await answerEnglish(english, job, second.languages)), languageChange };
    if (kept === 'both') return { ...(await answerMerged(english, second, job)), languageChange };
  }
  return { ...(await answerMultilingual(second, job)), languageChange };
};

const pausesToAskAt = ({ belief }: LanguagePrior, stands: boolean): number => {
  if (belief === 'en') return stands ? PAUSES_TRUSTED : PAUSES_UNKNOWN;
  return belief === null ? PAUSES_UNKNOWN : PAUSES_BELIEVED;
};

/** Good enough for a moment: to detect the language costs more than all other readings of an utterance. */
const seemsEnglish = (english: EnglishTranscript, { belief, hint }: LanguagePrior, { englishEven }: Tier): boolean =>
  belief === 'en' ||
  ((hint === null || hint === 'en') && isUsable(english) && english.averageLogProbability >= englishEven);

const priorOf = ({ multilingual }: TierModels, job: RecogniseJob): LanguagePrior => ({
  belief: job.language && modelCodeOf(job.language, multilingual.languages),
  hint: job.languageHint && modelCodeOf(job.languageHint, multilingual.languages),
  recent: new Map(
    job.recentLanguages?.map(({ language, probability }) => [
      modelCodeOf(language, multilingual.languages) ?? language,
      probability,
    ]),
  ),
});

const questionOf = (
  { tier, multilingual, detector, secondDetector }: TierModels,
  { samples }: RecogniseJob,
  prior: LanguagePrior,
  english: EnglishTranscript | null,
  checkpoint: () => void,
): Parameters<typeof decideLanguage>[0] => ({
  samples,
  multilingual,
  detector,
  secondDetector,
  prior,
  english,
  englishEven: tier.englishEven,
  checkpoint,
});

/** Only the multilingual model translates. The guesses are of the language that is spoken; the text is English. */
const translateWith = async (models: TierModels, job: RecogniseJob, checkpoint: () => void): Promise<Recognition> => {
  const { tier } = models;
  const { precedingText, vocabulary } = job;
  const question = questionOf(models, job, priorOf(models, job), null, checkpoint);
  const { speech, language, languages } = await decideLanguage(question);
  const transcript = await speech.transcribe({
    language,
    task: 'translate',
    vocabulary,
    precedingText: precedingText?.text ?? '',
    temperatures: tier.temperatures,
    checkpoint,
  });
  const isShown = !transcript.degenerate && !isHallucination(transcript);
  // Words of a translation follow another order than the speech, so they have no times.
  return answer(isShown ? transcript.text : '', transcript, rankGuesses(languages), []);
};

const transcribeEnglish = async (
  speech: EncodedSpeech,
  { settledText = '', draft = '', wantWordTimes }: RecogniseJob,
  stopWhenLost: boolean,
  checkpoint: () => void,
): Promise<EnglishTranscript> => {
  const transcript = await speech.transcribe({
    language: 'en',
    settledText,
    draft,
    wantWordTimes,
    stopWhenLost,
    checkpoint,
  });
  return { ...transcript, words: speech.words(transcript), speech };
};

/** The second English model reads what the first one has read, with its text as a draft. */
const transcribeAlong = async (
  model: AcousticModel,
  { samples, vocabulary, precedingText }: RecogniseJob,
  english: EnglishTranscript,
  checkpoint: () => void,
): Promise<SpokenTranscript> => {
  const speech = await model.encode(samples);
  checkpoint();
  const transcript = await speech.transcribe({
    language: 'en',
    vocabulary,
    precedingText: precedingText?.language === 'en' ? precedingText.text : '',
    draft: english.degenerate ? '' : english.text,
    checkpoint,
  });
  return { transcript, speech };
};

const transcribeDecided = async (
  decision: LanguageDecision,
  tier: Tier,
  { precedingText, vocabulary, settledText = '', draft = '' }: RecogniseJob,
  english: EnglishTranscript | null,
  checkpoint: () => void,
): Promise<MultilingualTranscript> => {
  const { speech, language, beginning } = decision;
  const transcript = await speech.transcribe({
    language,
    vocabulary,
    precedingText: precedingText !== null && precedingText.language === isoOf(language) ? precedingText.text : '',
    // In English the other model's whole text is the better draft.
    draft:
      language === 'en' && english && !english.degenerate
        ? english.text
        : beginning || `${settledText} ${draft}`.trim(),
    temperatures: tier.temperatures,
    checkpoint,
  });
  return language !== 'en' && (await isEnglishInBoth(english, transcript.text))
    ? { ...decision, transcript, language: 'en', languages: new Map([['en', 1]]) }
    : { ...decision, transcript };
};

/** `languages` are the multilingual model's guesses, where it was asked. */
const answerEnglish = async (
  english: EnglishTranscript,
  job: RecogniseJob,
  languages: LanguageProbabilities | null,
): Promise<Recognition> => {
  const { text, averageLogProbability, speech } = english;
  if (isHallucination({ text, averageLogProbability, noSpeechProbability: 0 })) return answer('', english, [], []);
  const guesses = languages
    ? rankGuesses(languages)
    : [{ language: 'en', probability: englishProbability(averageLogProbability) }];
  return answer(text, english, guesses, job.wantWordTimes ? await speech.wordTimes(english, 'en') : []);
};

/** Two transcripts of the same English speech made into one. */
const answerMerged = async (
  english: EnglishTranscript,
  { speech, transcript, language, languages }: MultilingualTranscript,
  { wantWordTimes }: RecogniseJob,
): Promise<Recognition> => {
  const words = wantWordTimes
    ? mergeTranscripts(await english.speech.wordTimes(english, 'en'), await speech.wordTimes(transcript, language))
    : mergeTranscripts(english.words, speech.words(transcript));
  const text = words.map((word) => word.text).join(' ');
  const averageLogProbability = Math.max(english.averageLogProbability, transcript.averageLogProbability);
  const evidence = { text, averageLogProbability, noSpeechProbability: transcript.noSpeechProbability };
  const shown = isHallucination(evidence) ? '' : text;
  return answer(shown, evidence, rankGuesses(languages), wantWordTimes ? words : []);
};

/** Up to three readings of the same English speech made into one. */
const answerVoted = async (
  english: EnglishTranscript,
  { speech, transcript, languages }: MultilingualTranscript,
  secondEnglish: SpokenTranscript,
  { wantWordTimes }: RecogniseJob,
): Promise<Recognition> => {
  const spoken = [
    { transcript, speech, weight: WEIGHTS.multilingual },
    { transcript: english, speech: english.speech, weight: WEIGHTS.english },
    { ...secondEnglish, weight: WEIGHTS.secondEnglish },
  ].filter((reading) => isUsable(reading.transcript) && !isHallucination(reading.transcript));
  const [first] = spoken;
  if (!first) return answer('', transcript, [], []);
  const readings = await Promise.all(spoken.map((each) => readingOf(each, each.weight, wantWordTimes)));
  const words = vote(readings);
  const text = words.map((word) => word.text).join(' ');
  const averageLogProbability = Math.max(...spoken.map((each) => each.transcript.averageLogProbability));
  const evidence = { text, averageLogProbability, noSpeechProbability: transcript.noSpeechProbability };
  return answer(isHallucination(evidence) ? '' : text, evidence, rankGuesses(languages), wantWordTimes ? words : []);
};

const answerMultilingual = async (
  { speech, transcript, language, languages }: MultilingualTranscript,
  job: RecogniseJob,
): Promise<Recognition> => {
  const isShown = !transcript.degenerate && !isHallucination(transcript);
  const words = isShown && job.wantWordTimes ? await speech.wordTimes(transcript, language) : [];
  const inScript = (text: string) => chooseScript(text, language, job.languageHint);
  return answer(
    isShown ? inScript(transcript.text) : '',
    transcript,
    rankGuesses(languages),
    words.map((word) => ({ ...word, text: inScript(word.text) })),
  );
};

const answer = (
  text: string,
  { averageLogProbability }: Pick<Transcript, 'averageLogProbability'>,
  languages: Recognition['languages'],
  words: readonly RecognisedWord[],
): Recognition => ({
  text,
  words,
  languages: text === '' ? [] : languages,
  languageChange: null,
  averageLogProbability,
});
