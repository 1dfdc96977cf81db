// Cross-validation: fits the term rules on some clips and measures them on the others, split by speaker and in halves.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ModelId } from '@faircopy/contract';
import { TERM_RULES, type TermRules } from '@faircopy/server/pipeline';
import { Pipeline } from '../eval/pipeline.ts';
import { Progress } from '../eval/progress.ts';
import { type Cell, markdownTable } from '../markdown-table.ts';
import type { Clip } from './clip.ts';
import { fitOverruling, fitRules, isRight, LOOSE, ScoredText } from './fit-rules.ts';
import { addErrors, noErrors, type TermErrors } from './score.ts';
import { recordTermDecisions, type TermDecision } from './term-decisions.ts';

/** The result of one run of a model on a clip. */
interface Outcome {
  readonly model: ModelId;
  readonly file: string;
  readonly text: string;
  readonly decisions: readonly TermDecision[];
}

interface Collected {
  readonly without: readonly Outcome[];
  readonly shipped: readonly Outcome[];
  readonly loose: readonly Outcome[];
}

const SPEAKER_FOLDS = 6;
const fileOf = ({ path }: Clip): string => basename(path);
const speakerOf = (clip: Clip): string => fileOf(clip).split('-')[0]!;

const runAll = async (
  models: readonly ModelId[],
  clips: readonly Clip[],
  rules: Partial<TermRules>,
  name: string,
  hasList = true,
): Promise<Outcome[]> => {
  const decisions = await recordTermDecisions(rules);
  const pipeline = await Pipeline.open(models);
  const outcomes: Outcome[] = [];
  try {
    for (const model of models) {
      const progress = new Progress(`${model} ${name}`, clips.length);
      for (const clip of clips) {
        const { text } = await pipeline.transcribe(clip.path, model, hasList ? clip.list : []);
        outcomes.push({ model, file: fileOf(clip), text, decisions: await decisions.take() });
        progress.step();
      }
    }
  } finally {
    await pipeline.close();
    await decisions.close();
  }
  return outcomes;
};

/** Runs the models, and stores the outcomes in `file` after each model. Outcomes in an existing file are reused. */
const collect = async (models: readonly ModelId[], clips: readonly Clip[], file?: string): Promise<Collected> => {
  const known: Record<string, Collected> = file && existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {};
  for (const model of models) {
    known[model] ??= {
      without: await runAll([model], clips, {}, 'without', false),
      shipped: await runAll([model], clips, {}, 'the list'),
      loose: await runAll([model], clips, LOOSE, 'loose rules'),
    };
    if (file) await writeFile(file, JSON.stringify(known));
  }
  const all = models.map((model) => known[model]!);
  return {
    without: all.flatMap(({ without }) => without),
    shipped: all.flatMap(({ shipped }) => shipped),
    loose: all.flatMap(({ loose }) => loose),
  };
};

const scoredTexts = (outcomes: readonly Outcome[], clips: readonly Clip[]): ScoredText[] => {
  // Tiers share models, so the same text may occur several times.
  const texts = new Map<string, ScoredText>();
  for (const { file, decisions } of outcomes) {
    const clip = clips.find((each) => fileOf(each) === file);
    for (const decision of clip ? decisions : [])
      if ('scored' in decision)
        texts.set(JSON.stringify([file, decision.scored]), new ScoredText(decision.scored, clip!.text));
  }
  return [...texts.values()];
};

const contestsOf = (outcomes: readonly Outcome[], clips: readonly Clip[]) =>
  outcomes.flatMap(({ file, decisions }) => {
    const clip = clips.find((each) => fileOf(each) === file);
    return (clip ? decisions : []).flatMap((decision) =>
      'contested' in decision && !decision.contested.areTerms
        ? { lead: decision.contested.lead, isRight: isRight(decision.contested, clip!.text) }
        : [],
    );
  });

const errorsOf = (outcomes: readonly Outcome[], model: ModelId, clips: readonly Clip[]): TermErrors => {
  const errors = noErrors();
  for (const { file, text } of outcomes.filter((each) => each.model === model))
    addErrors(errors, clips.find((clip) => fileOf(clip) === file)!, text);
  return errors;
};

const percent = (part: number, whole: number): string => ((100 * part) / whole).toFixed(2);

const row = (model: ModelId, run: string, errors: TermErrors) => ({
  model,
  run,
  'U-WER %': percent(errors.otherErrors, errors.otherWords),
  'B-WER %': percent(errors.biasedErrors, errors.biasedWords),
  'rare words wrong': `${errors.biasedErrors} of ${errors.biasedWords}`,
  'others wrong': `${errors.otherErrors} of ${errors.otherWords}`,
});

/** How many right and how many wrong alternatives the rules accept. */
const acceptedOf = (texts: readonly ScoredText[], rules: TermRules): string => {
  let [right, rightAll, wrong] = [0, 0, 0];
  for (const text of texts) {
    const judged = text.judged();
    const accepted = text.accepted(rules);
    right += accepted.filter((each) => judged.right.includes(each)).length;
    wrong += accepted.filter((each) => judged.wrong.includes(each)).length;
    rightAll += new Set(judged.right.map(({ term, from }) => `${term.text} ${from}`)).size;
  }
  return `${right} of ${rightAll} right, ${wrong} wrong`;
};

/** Whether the rules decide anything about a clip differently from the shipped rules. */
const decidesOtherwise = (
  loose: readonly Outcome[],
  shipped: readonly Outcome[],
  clip: Clip,
  rules: TermRules,
): boolean => {
  const accepted = (each: TermRules) => scoredTexts(loose, [clip]).map((text) => text.accepted(each));
  const overruled = (each: TermRules) => contestsOf(shipped, [clip]).map(({ lead }) => lead > each.overruledBy);
  return [accepted, overruled].some((decide) => !isDeepStrictEqual(decide(rules), decide(TERM_RULES)));
};

/** `decisionsFile` stores what the models scored. If it exists, the models do not run again. */
export const crossValidate = async (
  models: readonly ModelId[],
  clips: readonly Clip[],
  decisionsFile: string | undefined,
): Promise<void> => {
  const collected = await collect(models, clips, decisionsFile);
  const speakers = [...new Set(clips.map(speakerOf))];
  const schemes: Readonly<Record<string, (clip: Clip, nth: number) => number>> = {
    'left-out speakers': (clip) => speakers.indexOf(speakerOf(clip)) % SPEAKER_FOLDS,
    'left-out half': (_, nth) => nth % 2,
  };
  const rows = models.flatMap((model) => [
    row(model, 'without', errorsOf(collected.without, model, clips)),
    row(model, 'the list', errorsOf(collected.shipped, model, clips)),
  ]);
  const folds: Record<string, Cell>[] = [];
  const fitOn = (chosen: readonly Clip[]): TermRules => ({
    ...TERM_RULES,
    ...fitRules(scoredTexts(collected.loose, chosen)),
    overruledBy: fitOverruling(contestsOf(collected.shipped, chosen)),
  });
  const addFold = (name: string, rules: TermRules, leftOut: readonly Clip[]) => {
    const texts = scoredTexts(collected.loose, leftOut);
    const { alikeMin, sameSound, perTenth, overruledBy } = rules;
    const alternatives = { fitted: acceptedOf(texts, rules), shipped: acceptedOf(texts, TERM_RULES) };
    folds.push({ 'left out': name, alikeMin, sameSound, perTenth, overruledBy, ...alternatives });
  };
  addFold('nothing', fitOn(clips), clips);
  for (const [scheme, foldOf] of Object.entries(schemes)) {
    const outcomes: Outcome[] = [];
    for (const fold of new Set(clips.map(foldOf))) {
      const leftOut = clips.filter((clip, nth) => foldOf(clip, nth) === fold);
      const rules = fitOn(clips.filter((clip) => !leftOut.includes(clip)));
      addFold(`${scheme} ${fold + 1}`, rules, leftOut);
      for (const model of models) {
        const ofModel = (outcomes: readonly Outcome[]) => outcomes.filter((each) => each.model === model);
        const changed = leftOut.filter((clip) =>
          decidesOtherwise(ofModel(collected.loose), ofModel(collected.shipped), clip, rules),
        );
        const same = leftOut.filter((clip) => !changed.includes(clip)).map(fileOf);
        outcomes.push(...ofModel(collected.shipped).filter(({ file }) => same.includes(file)));
        if (changed.length > 0) outcomes.push(...(await runAll([model], changed, rules, `${scheme} ${fold + 1}`)));
      }
    }
    rows.push(...models.map((model) => row(model, scheme, errorsOf(outcomes, model, clips))));
  }
  console.log(`${markdownTable(folds)}\n\n${markdownTable(rows)}\n`);
};
