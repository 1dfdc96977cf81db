// Measures how self-corrections are removed by rules alone and with the tagger, with CPU time and memory.
// Run: npm run bench:disfluencies [-- --data FOLDER --show]. FOLDER has the files that training/README.md names; none
// of them is in the repository. Your own clean text, one text per line:
// npm run bench:disfluencies -- --clean FILE [--language de --level light --show].
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type ChainResult,
  loadTaggerModel,
  refineInSlices,
  type Tagger,
  TrainedTagger,
} from '@faircopy/server/refinement';
import { markdownTable } from './markdown-table.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: new URL('../../../shared/refiner/data/', import.meta.url).pathname },
    show: { type: 'boolean', default: false },
    clean: { type: 'string', multiple: true, default: [] },
    language: { type: 'string', default: 'en' },
    level: { type: 'string', default: 'standard' },
  },
});
const { language } = options;
const level = options.level === 'light' ? 'light' : 'standard';
const EVAL = new URL('../../../shared/eval/', import.meta.url).pathname;
const NEVER = new AbortController().signal;

interface Pair {
  readonly original: string;
  readonly disfluent: string;
}
interface Turn {
  readonly w: readonly string[];
  /** 0: keep. 1: delete. 2 and 3: either is acceptable. */
  readonly y: readonly number[];
}

const read = <T>(name: string): T | null => {
  const plain = join(options.data, name);
  if (existsSync(plain)) return JSON.parse(readFileSync(plain, 'utf8')) as T;
  if (!existsSync(`${plain}.xz`)) return null;
  return JSON.parse(spawnSync('xz', ['-dc', `${plain}.xz`], { maxBuffer: 1e9, encoding: 'utf8' }).stdout) as T;
};

const bare = (text: string): string =>
  text
    .split(/\s+/u)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').toLowerCase())
    .filter(Boolean)
    .join(' ');
const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));

const refine = (text: string, tagger: Tagger | undefined): Promise<ChainResult> =>
  refineInSlices(
    { pieces: [{ text, startMs: 0, endMs: 0, language, confidence: 1 }], language, vocabulary: [], level },
    NEVER,
    tagger,
  );

interface Word {
  readonly text: string;
  readonly kept: boolean;
}

/** The raw words, and whether the chain kept each of them in some form. */
const wordsOf = ({ rawText, tokens }: ChainResult): Word[] =>
  [...rawText.matchAll(/\S+/gu)].map((match) => ({
    text: match[0],
    kept: tokens.some(({ rawStart, rawEnd }) => rawStart < match.index + match[0].length && rawEnd > match.index),
  }));

/** Either of two equal copies may be deleted: moves each deletion to the earliest copy before it is compared. */
const earliest = (words: readonly Word[]): Word[] => {
  const keys = words.map(({ text }) => flat(text));
  const kept = words.map((word) => word.kept);
  for (let start = 0; start < kept.length; start++) {
    if (kept[start]) continue;
    let end = start;
    while (end < kept.length && !kept[end]) end += 1;
    let [from, to] = [start, end];
    while (from > 0 && kept[from - 1] && keys[from - 1] === keys[to - 1]) {
      kept[--from] = false;
      kept[--to] = true;
    }
    start = end;
  }
  return words.map(({ text }, n) => ({ text, kept: kept[n]! }));
};

const flat = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}' ]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();

const wordErrors = (reference: readonly string[], words: readonly string[]): number => {
  let row = Array.from({ length: words.length + 1 }, (_, n) => n);
  for (const [i, word] of reference.entries()) {
    const next = [i + 1];
    for (const [j, other] of words.entries())
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (word === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
};

const show = (label: string, words: readonly Word[], note = ''): void => {
  if (options.show) console.log(label, words.map(({ text, kept }) => (kept ? text : `[${text}]`)).join(' '), note);
};

const scorePairs = async (pairs: readonly Pair[], form: (text: string) => string, tagger: Tagger | undefined) => {
  let exact = 0;
  let errors = 0;
  let total = 0;
  let lost = 0;
  let clean = 0;
  for (const { original, disfluent } of pairs) {
    const words = wordsOf(await refine(form(disfluent), tagger));
    const result = flat(words.flatMap(({ text, kept }) => (kept ? [text] : [])).join(' '));
    const reference = flat(original);
    if (reference === result) exact += 1;
    errors += wordErrors(reference.split(' '), result.split(' '));
    total += reference.split(' ').length;
    const untouched = wordsOf(await refine(form(original), tagger));
    const gone = untouched.filter(({ kept }) => !kept).length;
    if (gone > 0 && tagger) show('lost:', untouched);
    lost += gone;
    clean += untouched.length;
  }
  return {
    'exact %': rounded((100 * exact) / pairs.length),
    'word error %': rounded((100 * errors) / total),
    'clean words lost per 1000': rounded((1000 * lost) / clean, 2),
  };
};

const scoreMeetings = async (turns: readonly Turn[], tagger: Tagger | undefined) => {
  let right = 0;
  let wrong = 0;
  let missed = 0;
  for (const { w, y } of turns) {
    const words = earliest(wordsOf(await refine(w.join(' '), tagger)));
    if (words.length !== w.length) continue;
    const falsely = words.some(({ kept }, n) => !kept && y[n] === 0);
    if (falsely && tagger)
      show('meeting:', words, ` || ${w.map((word, n) => (y[n] ? `[${word}]${y[n]}` : word)).join(' ')}`);
    words.forEach(({ kept }, n) => {
      if (y[n] === 1 && kept) missed += 1;
      if (y[n] === 1 && !kept) right += 1;
      if (y[n] === 0 && !kept) wrong += 1;
    });
  }
  return {
    'precision %': rounded((100 * right) / (right + wrong)),
    'recall %': rounded((100 * right) / (right + missed)),
  };
};

const scoreClean = async (texts: readonly string[], tagger: Tagger | undefined) => {
  let lost = 0;
  let numbers = 0;
  let total = 0;
  for (const text of texts) {
    const draft = await refine(text, tagger);
    const words = wordsOf(draft);
    const gone = words.filter(({ text: word, kept }) => !kept && !/^(?:um|uh|er|erm|hmm|mm|ah)[.,?!]?$/iu.test(word));
    if (gone.length > 0 && tagger) show('clean:', words);
    lost += gone.length;
    numbers += gone.filter(({ text: word }) => /\d/u.test(word)).length;
    total += words.length;
  }
  return { words: total, 'lost per 1000': rounded((1000 * lost) / total, 2), 'numbers lost': numbers };
};

const loadedAt = performance.now();
const memoryBefore = process.memoryUsage().rss;
const model = await loadTaggerModel();
const tagger = new TrainedTagger(async () => model);
const loadMs = performance.now() - loadedAt;
const systems: [string, Tagger | undefined][] = [
  ['rules', undefined],
  ['rules and tagger', tagger],
];
const table = async (title: string, score: (tagger: Tagger | undefined) => Promise<object>): Promise<void> => {
  console.log(`\n## ${title}\n`);
  const rows = [];
  for (const [name, used] of systems) rows.push({ system: name, ...(await score(used)) });
  console.log(markdownTable(rows));
};

for (const file of options.clean) {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  await table(`${file}, ${language}, ${level}`, (model) => scoreClean(lines, model));
}
if (options.clean.length > 0) process.exit();

const pairs = Object.values(read<Record<string, Pair>>('disflqa-dev.json') ?? {});
if (pairs.length > 0) {
  await table('Disfl-QA dev, as written', (model) => scorePairs(pairs, (text) => text, model));
  await table('Disfl-QA dev, lower case without marks', (model) => scorePairs(pairs, bare, model));
}
const meetings = read<{ dev: Turn[] }>('ami.json');
if (meetings) await table('AMI meetings kept out of training', (model) => scoreMeetings(meetings.dev, model));
const held = read<[string, string][]>('clean_held.json')?.map(([, text]) => text) ?? [];
if (held.length > 0) await table('Clean text kept out of training', (model) => scoreClean(held, model));
const manifest = join(EVAL, 'en/manifest.jsonl');
const references = existsSync(manifest)
  ? readFileSync(manifest, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string; text: string | null })
      .filter(({ file, text }) => text && !/meeting|phone/u.test(file))
      .map(({ text }) => text!)
  : [];
if (references.length > 0) {
  await table('References of read speech', (model) => scoreClean(references, model));
  await table('The same in lower case without marks', (model) => scoreClean(references.map(bare), model));
}

// CPU time rather than wall time, so that other load on the machine matters less.
const cpuMs = async (texts: readonly string[], model: Tagger | undefined): Promise<number> => {
  for (const text of texts.slice(0, 20)) await refine(text, model);
  const start = process.cpuUsage();
  for (const text of texts) await refine(text, model);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};
const timed = [...references, ...held, ...(meetings?.dev.map(({ w }) => w.join(' ')) ?? [])];
if (timed.length > 0) {
  const sets: [string, string[]][] = [
    ['clean text', held.slice(0, 800)],
    ['meetings', (meetings?.dev ?? []).slice(0, 400).map(({ w }) => w.join(' '))],
    [
      '20 words with a correction',
      Array<string>(50).fill(
        'so the next meeting will be on tuesday no sorry i mean on wednesday at ten in the big room',
      ),
    ],
  ];
  console.log('\n## Processor time\n');
  const rows = [];
  for (const [name, texts] of sets) {
    const words = texts.reduce((sum, text) => sum + text.split(/\s+/u).length, 0);
    const rules = await cpuMs(texts, undefined);
    const both = await cpuMs(texts, tagger);
    rows.push({
      text: name,
      words,
      'rules, ms per 1000 words': rounded((1000 * rules) / words),
      'with tagger, ms per 1000 words': rounded((1000 * both) / words),
      'with tagger, ms per text': rounded(both / texts.length, 2),
    });
  }
  console.log(markdownTable(rows));
}
console.log(
  `\nLoaded in ${rounded(loadMs, 0)} ms; ${rounded((process.memoryUsage().rss - memoryBefore) / 1e6, 0)} MB more at the end.`,
);
