// The chain of passes: from the recognised pieces to the fair copy, deterministic and without a network.
import { editsOf, textOf } from './edits.ts';
import { guessLanguage, languageOf } from './language.ts';
import { addresses } from './passes/addresses.ts';
import { artefacts } from './passes/artefacts.ts';
import { bareSpeech } from './passes/bare-speech.ts';
import { casing } from './passes/casing.ts';
import { commands } from './passes/commands.ts';
import { corrections } from './passes/corrections.ts';
import { falseStarts } from './passes/false-starts.ts';
import { fillers } from './passes/fillers.ts';
import { lists } from './passes/lists.ts';
import { numbers } from './passes/numbers.ts';
import { paragraphs } from './passes/paragraphs.ts';
import { punctuation } from './passes/punctuation.ts';
import { repeats } from './passes/repeats.ts';
import { seams } from './passes/seams.ts';
import { spacing } from './passes/spacing.ts';
import { spelled } from './passes/spelled.ts';
import { vocabulary } from './passes/vocabulary.ts';
import type { Refined, RefineInput } from './refiner.ts';
import type { Mark, Pass } from './rewrite.ts';
import { disfluencies } from './tagger/cut-pass.ts';
import { type CutWords, findCuts } from './tagger/tagger.ts';
import type { TaggerModel } from './tagger/tagger-model.ts';
import { type Token, tokenise } from './token.ts';
import { allOrdinary, type IsOrdinary, loadOrdinary } from './vocabulary/ordinary.ts';

/** First what fits every language, then what needs one. The order is part of the rules. */
const NEUTRAL: readonly Pass[] = [spacing, seams, artefacts, vocabulary];
const BY_LANGUAGE: readonly Pass[] = [
  disfluencies,
  fillers,
  repeats,
  falseStarts,
  corrections,
  commands,
  addresses,
  lists,
  numbers,
  spelled,
  bareSpeech,
  punctuation,
  casing,
];
const LAST: readonly Pass[] = [paragraphs];

export const PASSES: readonly Pass[] = [...NEUTRAL, ...BY_LANGUAGE, ...LAST];

export interface Draft {
  readonly rawText: string;
  readonly tokens: readonly Token[];
  readonly marks: readonly Mark[];
}

const languageRuns = (tokens: readonly Token[]): Token[][] => {
  const runs: Token[][] = [];
  for (const token of tokens) {
    const run = runs.at(-1);
    if (run && run[0]!.language === token.language) run.push(token);
    else runs.push([token]);
  }
  return runs;
};

/** One step per pass and run of language, so that a caller may breathe between them. After the neutral passes the words
 * are handed out once: the caller may answer with the tagger's cuts. */
export function* draft(
  input: RefineInput,
  isOrdinary: IsOrdinary,
): Generator<readonly Token[] | undefined, Draft, CutWords | undefined> {
  const { rawText, tokens: heard } = tokenise(input.pieces, input.language);
  const guessed = heard.some((token) => token.language === null)
    ? guessLanguage(heard.map((token) => token.key))
    : null;
  let tokens: readonly Token[] = guessed
    ? heard.map((token) => ({ ...token, language: token.language ?? guessed }))
    : heard;
  const marks: Mark[] = [];
  let cuts: CutWords | undefined;
  const whole = languageOf(input.language ?? guessed);
  const apply = (pass: Pass, words: readonly Token[], language = whole): readonly Token[] => {
    const result = pass.run(words, { language, vocabulary: input.vocabulary, isOrdinary, cuts });
    for (const mark of result.marks) marks.push(mark);
    return result.tokens;
  };
  for (const pass of NEUTRAL) {
    tokens = apply(pass, tokens);
    yield;
  }
  cuts = yield tokens;
  const done: Token[] = [];
  for (const run of languageRuns(tokens)) {
    let words: readonly Token[] = run;
    const language = languageOf(run[0]!.language);
    for (const pass of BY_LANGUAGE) {
      words = apply(pass, words, language);
      yield;
    }
    for (const word of words) done.push(word);
  }
  tokens = done;
  for (const pass of LAST) {
    tokens = apply(pass, tokens);
    yield;
  }
  return { rawText, tokens, marks };
}

export const finish = ({ rawText, tokens, marks }: Draft): Refined => ({
  text: textOf(tokens),
  rawText,
  edits: editsOf(rawText, tokens, marks),
  fallback: null,
});

/** The whole chain at once, for workers and tests. */
export const refineSync = (input: RefineInput, isOrdinary: IsOrdinary = allOrdinary): Refined => {
  const steps = draft(input, isOrdinary);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return finish(step.value);
};

/** A single piece without times: text that somebody pasted. */
export const refineText = (text: string, language: string | null): Refined =>
  refineSync({ pieces: [{ text, startMs: 0, endMs: 0, language, confidence: 1 }], language, vocabulary: [] });

const YIELD_AFTER_MS = 8;

/** What the tagger would take out; it knows English alone. */
const cutsFor = async (
  tokens: readonly Token[],
  tagger: TaggerModel | null,
  signal: AbortSignal,
): Promise<CutWords | undefined> => {
  const english = tagger ? tokens.filter(({ language }) => languageOf(language)?.code === 'en') : [];
  return tagger && english.length > 0 ? await findCuts(english, tagger, signal) : undefined;
};

/** The same in slices, so that long texts do not hold up the event loop; with the tagger's cuts when there is one. */
export const refineInSlices = async (
  input: RefineInput,
  signal: AbortSignal,
  tagger: TaggerModel | null = null,
): Promise<Draft> => {
  const isOrdinary = input.vocabulary.length > 0 ? await loadOrdinary() : allOrdinary;
  const steps = draft(input, isOrdinary);
  let cuts: CutWords | undefined;
  let sliceStart = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const step = steps.next(cuts);
    if (step.done) return step.value;
    cuts = step.value ? await cutsFor(step.value, tagger, signal) : undefined;
    if (performance.now() - sliceStart < YIELD_AFTER_MS) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    sliceStart = performance.now();
  }
};
