// The chain of passes: from the recognised pieces to the fair copy, deterministic and without a network.
import { type Judgement, type Tagger, UNJUDGED, withoutDeleted } from './deletions.ts';
import { editsOf, textOf } from './edits.ts';
import { guessLanguage, languageOf } from './language.ts';
import { checkNumbers } from './number-check.ts';
import { addresses } from './passes/addresses.ts';
import { artefacts } from './passes/artefacts.ts';
import { casing } from './passes/casing.ts';
import { commands } from './passes/commands.ts';
import { corrections } from './passes/corrections.ts';
import { falseStarts } from './passes/false-starts.ts';
import { fillers } from './passes/fillers.ts';
import { lists } from './passes/lists.ts';
import { missingCommas } from './passes/missing-commas.ts';
import { numbers } from './passes/numbers.ts';
import { paragraphs } from './passes/paragraphs.ts';
import { punctuation } from './passes/punctuation.ts';
import { repeats, stutters } from './passes/repeats.ts';
import { spacing } from './passes/spacing.ts';
import { spelled } from './passes/spelled.ts';
import { vocabulary } from './passes/vocabulary.ts';
import { windowJoins } from './passes/window-joins.ts';
import type { Refined, RefineInput, RefineLevel } from './refiner.ts';
import type { Mark, Pass, Rewritten } from './rewrite.ts';
import { type Token, tokenise } from './token.ts';
import { allOrdinary, type IsOrdinary, loadOrdinary } from './vocabulary/ordinary.ts';

/** The order is part of the rules. */
interface Plan {
  /** What fits every language. */
  readonly neutral: readonly Pass[];
  /** What needs one: before the tagger, if there is one, and after it. */
  readonly beforeTagger: readonly Pass[];
  readonly afterTagger: readonly Pass[];
  readonly last: readonly Pass[];
  readonly tags: boolean;
}

const PLANS: Readonly<Record<Exclude<RefineLevel, 'none'>, Plan>> = {
  light: {
    neutral: [spacing, windowJoins],
    beforeTagger: [fillers, stutters],
    afterTagger: [],
    last: [],
    tags: false,
  },
  standard: {
    neutral: [spacing, windowJoins, artefacts, vocabulary],
    // The tagger sees the sounds of hesitation and every copy of a word: they tell it where somebody broke off.
    beforeTagger: [],
    afterTagger: [
      fillers,
      repeats,
      falseStarts,
      corrections,
      commands,
      addresses,
      lists,
      numbers,
      spelled,
      missingCommas,
      punctuation,
      casing,
    ],
    last: [paragraphs],
    tags: true,
  },
};

export interface Draft {
  readonly rawText: string;
  readonly tokens: readonly Token[];
  readonly marks: readonly Mark[];
  readonly numbersRestored: number;
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

/** What a step waits for: the answer of the tagger, or nothing but a turn of the event loop. */
type Step = Promise<Judgement> | undefined;
type Steps = Generator<Step, Draft, Judgement | undefined>;

/** One step per pass and run of language, so that a caller may yield to the event loop between them. */
export function* draft(input: RefineInput, isOrdinary: IsOrdinary, tagger?: Tagger): Steps {
  const { rawText, tokens: spoken } = tokenise(input.pieces, input.language);
  const level = input.level ?? 'standard';
  if (level === 'none') return { rawText, tokens: spoken, marks: [], numbersRestored: 0 };
  const plan = PLANS[level];
  const guessed = spoken.some((token) => token.language === null)
    ? guessLanguage(spoken.map((token) => token.key))
    : null;
  const raw: readonly Token[] = guessed
    ? spoken.map((token) => ({ ...token, language: token.language ?? guessed }))
    : spoken;
  let tokens = raw;
  const marks: Mark[] = [];
  const whole = languageOf(input.language ?? guessed);
  const keep = (result: Rewritten): readonly Token[] => {
    for (const mark of result.marks) marks.push(mark);
    return result.tokens;
  };
  const apply = (pass: Pass, words: readonly Token[], language = whole): readonly Token[] =>
    keep(pass.run(words, { language, vocabulary: input.vocabulary, isOrdinary }));
  for (const pass of plan.neutral) {
    tokens = apply(pass, tokens);
    yield;
  }
  const done: Token[] = [];
  for (const run of languageRuns(tokens)) {
    let words: readonly Token[] = run;
    const language = languageOf(run[0]!.language);
    for (const pass of plan.beforeTagger) {
      words = apply(pass, words, language);
      yield;
    }
    if (tagger && plan.tags && language)
      words = keep(withoutDeleted(words, (yield tagger.judge(words, language.code)) ?? UNJUDGED));
    for (const pass of plan.afterTagger) {
      words = apply(pass, words, language);
      yield;
    }
    for (const word of words) done.push(word);
  }
  tokens = done;
  for (const pass of plan.last) {
    tokens = apply(pass, tokens);
    yield;
  }
  const checked = checkNumbers(rawText, raw, tokens, marks);
  return { rawText, tokens: checked.tokens, marks, numbersRestored: checked.restored };
}

export const finish = ({ rawText, tokens, marks, numbersRestored }: Draft): Refined => ({
  text: textOf(tokens),
  rawText,
  edits: editsOf(rawText, tokens, marks),
  numbersRestored,
  fallback: null,
});

/** The rules at once, without a tagger: for the command line and tests. */
export const refineSync = (input: RefineInput, isOrdinary: IsOrdinary = allOrdinary): Refined => {
  const steps = draft(input, isOrdinary);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return finish(step.value);
};

/** A single piece without times: text that somebody pasted. */
export const refineText = (text: string, language: string | null, level: RefineLevel = 'standard'): Refined =>
  refineSync({ pieces: [{ text, startMs: 0, endMs: 0, language, confidence: 1 }], language, vocabulary: [], level });

const YIELD_AFTER_MS = 8;

/** The whole chain in slices, so that long texts do not hold up the event loop. */
export const refineInSlices = async (input: RefineInput, signal: AbortSignal, tagger?: Tagger): Promise<Draft> => {
  const isOrdinary = input.vocabulary.length > 0 ? await loadOrdinary() : allOrdinary;
  const steps = draft(input, isOrdinary, tagger);
  let sliceStart = performance.now();
  let judgement: Judgement | undefined;
  for (;;) {
    signal.throwIfAborted();
    const step = steps.next(judgement);
    judgement = undefined;
    if (step.done) return step.value;
    if (step.value) judgement = await step.value;
    else if (performance.now() - sliceStart >= YIELD_AFTER_MS)
      await new Promise<void>((resolve) => setImmediate(resolve));
    else continue;
    sliceStart = performance.now();
  }
};
