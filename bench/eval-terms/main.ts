// npm run eval:terms -- --model svc-1.0-pro: errors on rare words and on all others, and CPU time, with and without a
// list of terms. The runs of a clip follow each other, so that other load on the machine concerns all alike.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import { Pipeline } from '../eval/pipeline.ts';
import { Progress } from '../eval/progress.ts';
import { markdownTable } from '../markdown-table.ts';
import { processCost } from '../process-cost.ts';
import { evalSynthesised } from './eval-synthesised.ts';
import { addErrors, noErrors, type TermErrors } from './score.ts';

const HELP = `npm run eval:terms -- [DIR] [--model MODEL]... [--every N] [--size N] [--synthesised [--spoken FOLDER]] [--errors] [--json FILE]

DIR       folder with keyterms.jsonl (file, text, rare, list) and en/ (default ../shared/eval)
--model   svc-1.0-lite, svc-1.0-pro or svc-1.0-max; may be given several times (default: all three)
--every   only every Nth clip
--size    another run with this many terms in each list: more are taken from other clips; may be given several times
--synthesised  200 sentences spoken by espeak-ng instead, half of them without a term (no DIR)
--spoken  folder with 0.wav, 1.wav and so on: the sentences, or the first of them, spoken by another voice
--errors  list the errors
--json    write the transcripts to this file`;

interface Clip {
  readonly file: string;
  readonly text: string;
  readonly rare: readonly string[];
  readonly list: readonly string[];
}

const readClips = async (folder: string, every: number): Promise<Clip[]> => {
  const lines = (await readFile(join(folder, 'keyterms.jsonl'), 'utf8')).split('\n').filter((line) => line.trim());
  return lines.map((line) => JSON.parse(line) as Clip).filter((_, index) => index % every === 0);
};

/** The list of a clip, filled with the terms of other clips that do not occur in it. */
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

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      model: { type: 'string', multiple: true },
      every: { type: 'string', default: '1' },
      size: { type: 'string', multiple: true, default: [] },
      synthesised: { type: 'boolean', default: false },
      spoken: { type: 'string' },
      errors: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return console.log(HELP);
  const models = (values.model ?? MODEL_IDS) as readonly ModelId[];
  const unknown = models.find((model) => !MODEL_IDS.includes(model));
  if (unknown) throw new Error(`There is no model ${unknown}. Known: ${MODEL_IDS.join(', ')}.`);
  if (values.synthesised) {
    const pipeline = await Pipeline.open(models);
    const options = { every: Number(values.every), lists: values.errors, spoken: values.spoken };
    return evalSynthesised(pipeline, models, options).finally(() => pipeline.close());
  }
  const folder = resolve(positionals[0] ?? fileURLToPath(new URL('../../../../shared/eval', import.meta.url)));
  if (!existsSync(join(folder, 'keyterms.jsonl'))) throw new Error(`There is no keyterms.jsonl in ${folder}.`);
  const clips = await readClips(folder, Number(values.every));
  const all = [...new Set((await readClips(folder, 1)).flatMap(({ list }) => list))];
  const transcripts: unknown[] = [];
  const pipeline = await Pipeline.open(models);
  const measure = async (model: ModelId, run: Run, clip: Clip): Promise<void> => {
    const before = await processCost(process.pid);
    const { text, rawText } = await pipeline.transcribe(join(folder, 'en', clip.file), model, run.listOf(clip));
    run.cpuSeconds += (await processCost(process.pid)).cpuSeconds - before.cpuSeconds;
    const wrong = addErrors(run.errors, clip, text);
    transcripts.push({ model, run: run.name, file: clip.file, text, rawText });
    if (values.errors)
      console.log(`${model} ${run.name} ${clip.file}: ${wrong.map((step) => step.join('→')).join(', ')}`);
  };
  const runOf = (name: string, listOf: Run['listOf']): Run => ({ name, listOf, errors: noErrors(), cpuSeconds: 0 });
  try {
    for (const model of models) {
      const without = runOf('without', () => []);
      const sized = values.size.map((size) => runOf(`${size} terms`, (clip) => filled(clip, all, Number(size))));
      const runs = [without, runOf('the list', ({ list }) => list), ...sized];
      const progress = new Progress(model, clips.length);
      for (const [index, clip] of clips.entries()) {
        // Each run is the first one as often as the others.
        for (const turn of runs.keys()) await measure(model, runs[(index + turn) % runs.length]!, clip);
        progress.step();
      }
      console.log(`### ${model}\n\n${markdownTable(runs.map((run) => row(run, without, clips.length)))}\n`);
    }
  } finally {
    await pipeline.close();
  }
  if (!values.json) return;
  await mkdir(resolve(values.json, '..'), { recursive: true });
  await writeFile(values.json, `${transcripts.map((each) => JSON.stringify(each)).join('\n')}\n`);
};

await main();
