// Measures errors on the words of a list and on all other words, and CPU time, with and without the list.
// The runs of a clip directly follow each other, so that other load on the machine affects all of them alike.
import { basename } from 'node:path';
import type { ModelId } from '@faircopy/contract';
import type { Pipeline } from '../eval/pipeline.ts';
import { Progress } from '../eval/progress.ts';
import { markdownTable } from '../markdown-table.ts';
import { processCost } from '../process-cost.ts';
import type { Clip } from './clip.ts';
import { addErrors, noErrors, type TermErrors } from './score.ts';
import type { TermDecisions } from './term-decisions.ts';

/** The list of a clip, filled up with terms of other clips that are not said in it. */
const filled = ({ list, text }: Clip, all: readonly string[], size: number): readonly string[] => {
  const said = new Set(text.split(' '));
  return [...new Set([...list, ...all.filter((term) => !said.has(term))])].slice(0, size);
};

const rate = (errors: number, words: number): string => (words === 0 ? '-' : ((100 * errors) / words).toFixed(2));

interface Run {
  readonly name: string;
  readonly listOf: (clip: Clip) => readonly string[];
  readonly errors: TermErrors;
  cpuSeconds: number;
}

const row = ({ name, errors, cpuSeconds }: Run, without: Run, clips: number) => ({
  run: name,
  'WER %': rate(errors.biasedErrors + errors.otherErrors, errors.biasedWords + errors.otherWords),
  'U-WER %': rate(errors.otherErrors, errors.otherWords),
  'B-WER %': rate(errors.biasedErrors, errors.biasedWords),
  'rare words wrong': `${errors.biasedErrors} of ${errors.biasedWords}`,
  'others wrong': `${errors.otherErrors} of ${errors.otherWords}`,
  'CPU s': cpuSeconds.toFixed(1),
  'CPU %': (100 * (cpuSeconds / without.cpuSeconds)).toFixed(1),
  clips,
});

export interface ListOptions {
  /** The sizes of additional lists, which are filled up with `others`. */
  readonly sizes: readonly number[];
  readonly others: readonly string[];
  readonly errors: boolean;
  readonly decisions: TermDecisions | null;
}

export const evalLists = async (
  pipeline: Pipeline,
  models: readonly ModelId[],
  clips: readonly Clip[],
  options: ListOptions,
): Promise<unknown[]> => {
  const transcripts: unknown[] = [];
  const measure = async (model: ModelId, run: Run, clip: Clip): Promise<void> => {
    const file = basename(clip.path);
    const before = await processCost(process.pid);
    const { text, rawText } = await pipeline.transcribe(clip.path, model, run.listOf(clip));
    run.cpuSeconds += (await processCost(process.pid)).cpuSeconds - before.cpuSeconds;
    const wrong = addErrors(run.errors, clip, text);
    transcripts.push({ model, run: run.name, file, text, rawText, decisions: await options.decisions?.take() });
    if (options.errors) console.log(`${model} ${run.name} ${file}: ${wrong.map((step) => step.join('→')).join(', ')}`);
  };
  const runOf = (name: string, listOf: Run['listOf']): Run => ({ name, listOf, errors: noErrors(), cpuSeconds: 0 });
  for (const model of models) {
    const without = runOf('without', () => []);
    const sized = options.sizes.map((size) => runOf(`${size} terms`, (clip) => filled(clip, options.others, size)));
    const runs = [without, runOf('the list', ({ list }) => list), ...sized];
    const progress = new Progress(model, clips.length);
    for (const [index, clip] of clips.entries()) {
      // Rotates the order, so that each run comes first equally often.
      for (const turn of runs.keys()) await measure(model, runs[(index + turn) % runs.length]!, clip);
      progress.step();
    }
    console.log(`### ${model}\n\n${markdownTable(runs.map((run) => row(run, without, clips.length)))}\n`);
  }
  return transcripts;
};
