// npm run eval -- [DIR] --model svc-1.0-pro: accuracy of the real pipeline on recorded speech, as Markdown tables.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import { markdownTable } from '../markdown-table.ts';
import { LanguageCount } from './language-count.ts';
import { Pipeline } from './pipeline.ts';
import { plainSystems } from './plain-models.ts';
import { PooledErrors } from './pooled.ts';
import { Progress } from './progress.ts';
import { recordedSystems } from './recorded.ts';
import { relatedLanguages } from './related-languages.ts';
import { differences } from './same-transcripts.ts';
import { errorRatePercent, type FolderScore, type Hypothesis, type ManifestRow, scoreFolders } from './score.ts';
import type { ScoredSystem } from './scored-system.ts';

const HELP = `npm run eval -- [DIR] [--model MODEL]... [--only TEXT] [--every N] [--related] [--plain] [--compare FOLDER] [--same-as FOLDER] [--json FOLDER] [--out FILE]

DIR       folder with a manifest.jsonl, or with subfolders that contain one (default ../shared/eval)
--model   svc-1.0-lite, svc-1.0-pro or svc-1.0-max; may be given several times (default: all three)
--only    only files whose path contains this text
--every   only every Nth clip of each folder, for a quick look
--related restricts detection to the language of each recording and three easily confused ones
--plain   also runs the same weights the way their publishers document, and prints a table of all; --plain-only TEXT:
          only those peers whose name contains this text (may be given several times)
--compare folder of transcripts that an earlier run wrote with --json: scores them and compares them with this run
          (may be given several times; without --model nothing else runs)
--same-as folder of transcripts that an earlier run wrote with --json: lists those that differ now, and fails if any do
--json    folder for the transcripts: MODEL.SET.jsonl, as wer.py reads them, and MODEL.SET.raw.jsonl before refinement
--out     also write the tables to this file
--parallel  number of clips to transcribe at a time (default: the number of recognisers)`;

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
  // The hostile files of `robust` test robustness, not accuracy.
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

const runSet = async (system: ScoredSystem, set: EvalSet, parallel: number): Promise<Outcome> => {
  const refined = new Map<string, Hypothesis>();
  const raw = new Map<string, Hypothesis>();
  const name = set.name || 'set';
  const waiting = set.rows.filter((row) => system.supports(row, name));
  const progress = new Progress(`${system.name} ${set.name}`, waiting.length);
  const work = async (): Promise<void> => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const { text, rawText, language, wallSeconds } = await system.transcribe(join(set.folder, row.file), row, name);
      const shared = { file: row.file, language, seconds_wall: wallSeconds };
      refined.set(row.file, { ...shared, text });
      raw.set(row.file, { ...shared, text: rawText });
      progress.step();
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return { refined, raw };
};

/** The error rates of all systems side by side, one row per folder. */
class Comparison {
  readonly #rows = new Map<string, Record<string, string>>();

  add(folder: string, name: string, error: string): void {
    this.#rows.set(folder, { ...this.#rows.get(folder), [name]: error });
  }

  get #names(): string[] {
    return [...new Set([...this.#rows.values()].flatMap((errors) => Object.keys(errors)))];
  }

  get systems(): number {
    return this.#names.length;
  }

  /** Every row has all systems, because a table takes its columns from its first row. */
  rows(): Record<string, string>[] {
    const blank = Object.fromEntries(this.#names.map((name) => [name, '-']));
    return [...this.#rows].map(([folder, errors]) => ({ folder, ...blank, ...errors }));
  }
}

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
  'language %': score.languagesScored ? ((100 * score.languagesRight) / score.languagesScored).toFixed(0) : '-',
  hallucinated: score.silentClips ? `${score.hallucinatedWords} in ${score.silentClips}` : '-',
  'wall s / audio s': score.audioSeconds ? (score.wallSeconds / score.audioSeconds).toFixed(3) : '-',
});

const listOf = ({ language }: ManifestRow): readonly string[] | undefined => relatedLanguages(language);

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
      related: { type: 'boolean', default: false },
      plain: { type: 'boolean', default: false },
      'plain-only': { type: 'string', multiple: true },
      compare: { type: 'string', multiple: true },
      'same-as': { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return console.log(HELP);
  // `--plain-only` and `--compare` alone score no tier.
  const isAlone = values['plain-only'] !== undefined || values.compare !== undefined;
  const models = (values.model ?? (isAlone ? [] : MODEL_IDS)) as readonly ModelId[];
  const unknown = models.find((model) => !MODEL_IDS.includes(model));
  if (unknown) throw new Error(`There is no model ${unknown}. Known: ${MODEL_IDS.join(', ')}.`);
  const folder = resolve(positionals[0] ?? fileURLToPath(new URL('../../../../shared/eval', import.meta.url)));
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}. Name the folder of a speech set.`);
  const chosen = (await findSets(folder)).map((set) => choose(set, values.only, Number(values.every)));
  const sets = chosen.filter(({ rows }) => rows.length > 0);

  const parts: string[] = [];
  const differing: string[] = [];
  const all = new Comparison();
  const pooled = new PooledErrors();
  const score = async (system: ScoredSystem): Promise<void> => {
    const rows: ReturnType<typeof tableRow>[] = [];
    const languages = new LanguageCount();
    for (const set of sets) {
      const { refined, raw } = await runSet(system, set, Number(values.parallel ?? system.parallel));
      languages.add(set.rows, refined);
      pooled.add(system.name, set.name, set.rows, refined);
      const rawScores = scoreFolders(set.rows, raw);
      const scored = scoreFolders(set.rows, refined).map((found, index) => tableRow(set, found, rawScores[index]));
      rows.push(...scored);
      for (const row of scored) all.add(row.folder, system.name, row['error %']);
      const name = `${system.name.replaceAll(/[^\w.-]+/g, '-')}.${set.name || 'set'}`;
      for (const [file, transcripts] of [
        [`${name}.jsonl`, refined],
        [`${name}.raw.jsonl`, raw],
      ] as const) {
        if (values.json) await writeTranscripts(values.json, file, transcripts.values());
        if (values['same-as']) differing.push(...(await differences(values['same-as'], file, transcripts.values())));
      }
    }
    parts.push(`### ${system.name}\n\n${markdownTable(rows)}\n\n${languages.sentence()}\n`);
    console.log(parts.at(-1));
  };

  if (models.length > 0) {
    const pipeline = await Pipeline.open(models);
    try {
      for (const model of models) await score(pipeline.system(model, values.related ? listOf : undefined));
    } finally {
      await pipeline.close();
    }
  }
  for (const folder of values.compare ?? []) {
    for (const system of await recordedSystems(resolve(folder))) await score(system);
  }
  if (values.plain || values['plain-only']) {
    for (const start of await plainSystems(values['plain-only'] ?? [])) {
      const system = await start();
      await score(system).finally(() => system.close());
    }
  }
  if (all.systems > 1) {
    parts.push(`### Error %\n\n${markdownTable(all.rows())}\n`);
    console.log(parts.at(-1));
  }
  parts.push(pooled.markdown());
  console.log(parts.at(-1));
  if (values.out) await writeFile(values.out, parts.join('\n'));
  if (values['same-as'] === undefined) return;
  for (const difference of differing) console.log(difference);
  console.log(`${differing.length} transcripts differ from ${values['same-as']}.`);
  if (differing.length > 0) process.exitCode = 1;
};

await main();
