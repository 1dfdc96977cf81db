// npm run eval:terms -- --model svc-1.0-pro: the effect of a list of terms on the words of the list and on all others.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import { Pipeline } from '../eval/pipeline.ts';
import { readCalls } from './calls.ts';
import { type Clip, silentClips } from './clip.ts';
import { crossValidate } from './cross-validate.ts';
import { evalLists } from './eval-lists.ts';
import { evalSynthesised } from './eval-synthesised.ts';
import { recordTermDecisions } from './term-decisions.ts';

const HELP = `npm run eval:terms -- [DIR] [--model MODEL]... [--every N] [--size N]... [--calls FOLDER]... [--silent FOLDER]
       [--synthesised [--spoken FOLDER]] [--cross-validate] [--rules JSON] [--errors] [--json FILE]

DIR       folder with keyterms.jsonl (file, text, rare, list) and en/ (default ../shared/eval)
--model   svc-1.0-lite, svc-1.0-pro or svc-1.0-max; may be given several times (default: all three)
--every   only every Nth clip
--size    an additional run with this many terms per list, filled up from other clips; may be given several times
--synthesised  instead of DIR, 200 sentences spoken by espeak-ng, half of them without a term
--spoken  folder with 0.wav, 1.wav and so on: all or the first of these sentences, spoken by another voice
--calls   instead of DIR, telephone calls with lists of names: a folder with .words.jsonl beside the recordings, or
          with a manifest.jsonl; may be given several times
--silent  recordings without speech in this folder, with the lists of DIR
--cross-validate  fits the term rules on some clips and measures them on the others, split by speaker and in halves;
          the JSON file stores what the models scored, and is reused if it exists
--errors  list the errors
--rules   other values of the term rules, such as '{"alikeMin":0.6}'; the JSON file then also has what was scored
--json    write the transcripts to this file`;

const readClips = async (folder: string): Promise<Clip[]> => {
  const lines = (await readFile(join(folder, 'keyterms.jsonl'), 'utf8')).split('\n').filter((line) => line.trim());
  return lines.map((line) => {
    const { file, ...clip } = JSON.parse(line) as Clip & { readonly file: string };
    return { ...clip, path: join(folder, 'en', file) };
  });
};

interface Choice {
  readonly calls?: readonly string[] | undefined;
  readonly silent?: string | undefined;
  readonly every: string;
}

/** The clips, and terms with which to fill up their lists. */
const chosenClips = async ({ calls, silent, every }: Choice, directory: string | undefined) => {
  const folder = resolve(directory ?? fileURLToPath(new URL('../../../../shared/eval', import.meta.url)));
  const read = calls
    ? (await Promise.all(calls.map((each) => readCalls(resolve(each))))).flat()
    : await readClips(folder);
  const all = silent ? await silentClips(resolve(silent), read) : read;
  const clips = all.filter((_, index) => index % Number(every) === 0);
  if (clips.length === 0) throw new Error('No recordings were found.');
  return { clips, others: [...new Set(read.flatMap(({ list }) => list))] };
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      model: { type: 'string', multiple: true },
      every: { type: 'string', default: '1' },
      size: { type: 'string', multiple: true, default: [] },
      synthesised: { type: 'boolean', default: false },
      spoken: { type: 'string' },
      calls: { type: 'string', multiple: true },
      silent: { type: 'string' },
      'cross-validate': { type: 'boolean', default: false },
      errors: { type: 'boolean', default: false },
      rules: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return console.log(HELP);
  const models = (values.model ?? MODEL_IDS) as readonly ModelId[];
  const unknown = models.find((model) => !MODEL_IDS.includes(model));
  if (unknown) throw new Error(`There is no model ${unknown}. Known: ${MODEL_IDS.join(', ')}.`);
  if (values['cross-validate'])
    return crossValidate(models, (await chosenClips(values, positionals[0])).clips, values.json);
  const decisions = values.rules ? await recordTermDecisions(JSON.parse(values.rules)) : null;
  const pipeline = await Pipeline.open(models);
  const evaluate = async (): Promise<unknown[]> => {
    const { errors, spoken } = values;
    if (values.synthesised)
      return evalSynthesised(pipeline, models, { every: Number(values.every), lists: errors, spoken, decisions });
    const { clips, others } = await chosenClips(values, positionals[0]);
    return evalLists(pipeline, models, clips, { sizes: values.size.map(Number), others, errors, decisions });
  };
  const transcripts = await evaluate().finally(() => pipeline.close());
  await decisions?.close();
  if (!values.json) return;
  await mkdir(resolve(values.json, '..'), { recursive: true });
  await writeFile(values.json, `${transcripts.map((each) => JSON.stringify(each)).join('\n')}\n`);
};

await main();
