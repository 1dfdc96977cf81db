// npm run eval -- [DIR] --model svc-1.0-pro: accuracy of the real pipeline on recorded speech, as a Markdown table.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import { markdownTable } from '../table.ts';
import { Pipeline } from './pipeline.ts';
import { Progress } from './progress.ts';
import { errorRatePercent, type FolderScore, type Hypothesis, type ManifestRow, scoreFolders } from './score.ts';

const HELP = `npm run eval -- [DIR] [--model MODEL]... [--only TEXT] [--every N] [--json FOLDER] [--out FILE]

DIR       folder with a manifest.jsonl, or with subfolders that have one (default ../shared/eval)
--model   svc-1.0-lite, svc-1.0-pro or svc-1.0-max; may be given several times (default: all three)
--only    only files whose path has this text in it
--every   only every Nth clip of each folder, for a quick look
--json    folder for the transcripts: MODEL.SET.jsonl, as wer.py reads them, and MODEL.SET.raw.jsonl before refinement
--out     also write the tables to this file
--parallel  clips at a time (default: as many as there are recognisers)`;

interface EvalSet {
  readonly name: string;
  readonly folder: string;
  readonly rows: readonly ManifestRow[];
}

interface Outcome {
  readonly refined: ReadonlyMap<string, Hypothesis>;
  readonly raw: ReadonlyMap<string, Hypothesis>;
}

const readSet = async (folder: string, name: string): Promise<EvalSet> => {
  const lines = (await readFile(join(folder, 'manifest.jsonl'), 'utf8')).split('\n');
  return { name, folder, rows: lines.filter((line) => line.trim()).map((line) => JSON.parse(line) as ManifestRow) };
};

const findSets = async (folder: string): Promise<EvalSet[]> => {
  if (existsSync(join(folder, 'manifest.jsonl'))) return [await readSet(folder, '')];
  const names = (await readdir(folder)).filter((name) => existsSync(join(folder, name, 'manifest.jsonl'))).sort();
  // The hostile files of `robust` are about not breaking, not about words.
  return Promise.all(names.filter((name) => name !== 'robust').map((name) => readSet(join(folder, name), name)));
};

const choose = (set: EvalSet, only: string | undefined, every: number): EvalSet => {
  const counts = new Map<string, number>();
  const rows = set.rows.filter(({ file }) => {
    if (only && !`${set.name}/${file}`.includes(only)) return false;
    const folder = file.split('/')[0] ?? '';
    const index = counts.get(folder) ?? 0;
    counts.set(folder, index + 1);
    return index % every === 0;
  });
  return { ...set, rows };
};

const runSet = async (pipeline: Pipeline, set: EvalSet, model: ModelId, parallel: number): Promise<Outcome> => {
  const refined = new Map<string, Hypothesis>();
  const raw = new Map<string, Hypothesis>();
  const progress = new Progress(`${model} ${set.name}`, set.rows.length);
  const waiting = [...set.rows];
  const work = async (): Promise<void> => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const { transcript, wallSeconds } = await pipeline.transcribe(join(set.folder, row.file), model);
      const shared = { file: row.file, language: transcript.detectedLanguage, seconds_wall: wallSeconds };
      refined.set(row.file, { ...shared, text: transcript.text });
      raw.set(row.file, { ...shared, text: transcript.rawText });
      progress.step();
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return { refined, raw };
};

const percent = (value: number | null): string => (value === null ? '-' : value.toFixed(1));

const tableRow = (set: EvalSet, score: FolderScore, raw: FolderScore | undefined) => ({
  folder: set.name ? `${set.name}/${score.folder}` : score.folder,
  clips: score.clips,
  words: score.referenceWords,
  metric: score.metric,
  'error %': percent(errorRatePercent(score)),
  'unrefined %': percent(raw ? errorRatePercent(raw) : null),
  sub: score.substitutions,
  del: score.deletions,
  ins: score.insertions,
  'language %': score.languagesJudged ? ((100 * score.languagesRight) / score.languagesJudged).toFixed(0) : '-',
  invented: score.silentClips ? `${score.inventedWords} in ${score.silentClips}` : '-',
  'wall s / audio s': score.audioSeconds ? (score.wallSeconds / score.audioSeconds).toFixed(3) : '-',
});

const writeTranscripts = async (folder: string, name: string, rows: Iterable<Hypothesis>): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `${[...rows].map((row) => JSON.stringify(row)).join('\n')}\n`);
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      model: { type: 'string', multiple: true },
      only: { type: 'string' },
      every: { type: 'string', default: '1' },
      json: { type: 'string' },
      out: { type: 'string' },
      parallel: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return console.log(HELP);
  const models = (values.model ?? MODEL_IDS) as readonly ModelId[];
  const unknown = models.find((model) => !MODEL_IDS.includes(model));
  if (unknown) throw new Error(`There is no model ${unknown}. Known: ${MODEL_IDS.join(', ')}.`);
  const folder = resolve(positionals[0] ?? fileURLToPath(new URL('../../../../shared/eval', import.meta.url)));
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}. Give the folder of a speech set.`);
  const sets = (await findSets(folder)).map((set) => choose(set, values.only, Number(values.every)));

  const pipeline = await Pipeline.open(models);
  const parts: string[] = [];
  try {
    for (const model of models) {
      const rows: ReturnType<typeof tableRow>[] = [];
      for (const set of sets.filter((candidate) => candidate.rows.length > 0)) {
        const { refined, raw } = await runSet(pipeline, set, model, Number(values.parallel ?? pipeline.slots));
        const rawScores = scoreFolders(set.rows, raw);
        rows.push(...scoreFolders(set.rows, refined).map((score, index) => tableRow(set, score, rawScores[index])));
        if (!values.json) continue;
        const name = `${model}.${set.name || 'set'}`;
        await writeTranscripts(values.json, `${name}.jsonl`, refined.values());
        await writeTranscripts(values.json, `${name}.raw.jsonl`, raw.values());
      }
      parts.push(`### ${model}\n\n${markdownTable(rows)}\n`);
      console.log(parts.at(-1));
    }
  } finally {
    await pipeline.close();
  }
  if (values.out) await writeFile(values.out, parts.join('\n'));
};

await main();
