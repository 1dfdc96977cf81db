// Runs the refinement passes in order. Deterministic, without network access.
import { applyTags, NOTHING_TAGGED, type Tagger, type TaggerResult } from './disfluency-tagger.ts';
import { editsOf, textOf } from './edits.ts';
import { guessLanguage, languageOf } from './language.ts';
import { checkNumbers } from './number-check.ts';
import { addresses } from './passes/addresses.ts';
import { artefacts } from './passes/artefacts.ts';
import { casing } from './passes/casing.ts';
import { commands } from './passes/commands.ts';
import { corrections } from './passes/corrections/corrections.ts';
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
import { type Refined, type RefineInput, type RefineLevel, textInput } from './refiner.ts';
import type { ChangeRecord, Pass, Rewritten } from './rewrite.ts';
import { type Token, tokenise } from './token.ts';
import { allOrdinary, type IsOrdinary, loadOrdinary } from './vocabulary/ordinary.ts';

/** The passes of a refinement level. Each pass relies on the output of the passes before it. */
interface Plan {
  /** Run on the whole text, in every language. */
  readonly neutral: readonly Pass[];
  readonly usesTagger: boolean;
  /** Run on each span in one language, after the tagger. */
  readonly perLanguage: readonly Pass[];
  /** Run on the whole text at the end. */
  readonly last: readonly Pass[];
}

const PLANS: Readonly<Record<Exclude<RefineLevel, 'none'>, Plan>> = {
  light: {
    neutral: [spacing, windowJoins],
    usesTagger: false,
    perLanguage: [fillers, stutters],
    last: [],
  },
  standard: {
    neutral: [spacing, windowJoins, artefacts, vocabulary],
    // The tagger runs before fillers and repeats are removed, because they mark where the speaker broke off.
    usesTagger: true,
    perLanguage: [
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
  },
};

/** The output of the chain, before the optional language model. */
export interface ChainResult {
  readonly rawText: string;
  readonly tokens: readonly Token[];
  readonly records: readonly ChangeRecord[];
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

/** The language of the words whose language is unknown; null if there are none. */
const guessedLanguage = (tokens: readonly Token[]): string | null =>
  tokens.some(({ language }) => language === null) ? guessLanguage(tokens.map(({ key }) => key)) : null;

const inLanguage = (tokens: readonly Token[], guessed: string | null): readonly Token[] =>
  guessed === null ? tokens : tokens.map((token) => ({ ...token, language: token.language ?? guessed }));

/** Yields the tagger's promise, or undefined where the caller may yield to the event loop. */
type Steps = Generator<Promise<TaggerResult> | undefined, ChainResult, TaggerResult | undefined>;

function* runChain(input: RefineInput, isOrdinary: IsOrdinary, tagger?: Tagger): Steps {
  const { rawText, tokens: spoken } = tokenise(input.pieces, input.language);
  const level = input.level ?? 'standard';
  if (level === 'none') return { rawText, tokens: spoken, records: [], numbersRestored: 0 };
  const plan = PLANS[level];
  const guessed = guessedLanguage(spoken);
  const raw = inLanguage(spoken, guessed);
  let tokens = raw;
  const records: ChangeRecord[] = [];
  const mainLanguage = languageOf(input.language ?? guessed);
  const keep = (result: Rewritten): readonly Token[] => {
    for (const record of result.records) records.push(record);
    return result.tokens;
  };
  const apply = (pass: Pass, words: readonly Token[], language = mainLanguage): readonly Token[] =>
    keep(pass.run(words, { language, vocabulary: input.vocabulary, isSteered: input.isSteered ?? false, isOrdinary }));
  for (const pass of plan.neutral) {
    tokens = apply(pass, tokens);
    yield;
  }
  const done: Token[] = [];
  for (const run of languageRuns(tokens)) {
    let words: readonly Token[] = run;
    const language = languageOf(run[0]!.language);
    if (tagger && plan.usesTagger && language)
      words = keep(applyTags(words, (yield tagger.tag(words, language.code)) ?? NOTHING_TAGGED));
    for (const pass of plan.perLanguage) {
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
  const checked = checkNumbers(rawText, raw, tokens, records);
  return { rawText, tokens: checked.tokens, records, numbersRestored: checked.restored };
}

export const toRefined = ({ rawText, tokens, records, numbersRestored }: ChainResult): Refined => ({
  text: textOf(tokens),
  rawText,
  edits: editsOf(rawText, tokens, records),
  numbersRestored,
  fallback: null,
});

const runRules = (input: RefineInput, isOrdinary: IsOrdinary): ChainResult => {
  const steps = runChain(input, isOrdinary);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
};

/** Runs only the rules, synchronously. For tests and benchmarks. */
export const refineSync = (input: RefineInput, isOrdinary: IsOrdinary = allOrdinary): Refined =>
  toRefined(runRules(input, isOrdinary));

/** The spoken words; words of unknown language get the guessed language of the text. */
export const spokenTokens = ({ pieces, language }: RefineInput): readonly Token[] => {
  const { tokens } = tokenise(pieces, language);
  return inLanguage(tokens, guessedLanguage(tokens));
};

/** The words after the rules of the standard level, without vocabulary. */
export const refinedTokens = (input: RefineInput): readonly Token[] =>
  runRules({ ...input, level: 'standard', vocabulary: [] }, allOrdinary).tokens;

/** Refines text that has no timestamps. */
export const refineText = (text: string, language: string | null, level: RefineLevel = 'standard'): Refined =>
  refineSync({ ...textInput(text, language), level });

const YIELD_AFTER_MS = 8;

/** Runs the whole chain. Yields to the event loop between passes so that long texts do not block it. */
export const refineInSlices = async (
  input: RefineInput,
  signal: AbortSignal,
  tagger?: Tagger,
): Promise<ChainResult> => {
  const isOrdinary = input.vocabulary.length > 0 ? await loadOrdinary() : allOrdinary;
  const steps = runChain(input, isOrdinary, tagger);
  let sliceStart = performance.now();
  let tags: TaggerResult | undefined;
  for (;;) {
    signal.throwIfAborted();
    const step = steps.next(tags);
    tags = undefined;
    if (step.done) return step.value;
    if (step.value) tags = await step.value;
    else if (performance.now() - sliceStart >= YIELD_AFTER_MS)
      await new Promise<void>((resolve) => setImmediate(resolve));
    else continue;
    sliceStart = performance.now();
  }
};
