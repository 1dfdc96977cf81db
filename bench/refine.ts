// Measures refinement with the tagger: exact matches, false edits, vocabulary, and time for up to 50 000 words.
// Run: npm run bench:refine [-- --hyps RAW.jsonl --manifest MANIFEST.jsonl | --smoke].
// With recogniser output, also prints the raw and the refined WER.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Edit, refineSync, refineText } from '@faircopy/server/refinement';
import { type Case, readCorpus, refineWhole, refineWholeText, scoreVocabulary } from '#test-data';
import { markdownTable } from './markdown-table.ts';

const EVAL = new URL('../../../shared/eval/', import.meta.url).pathname;
const wordCount = (text: string): number => text.split(/\s+/u).filter(Boolean).length;
const percent = (part: number, whole: number): number => Math.round((1000 * part) / Math.max(1, whole)) / 10;
const perThousand = (count: number, words: number): number => Math.round((10_000 * count) / Math.max(1, words)) / 10;

const { values: options } = parseArgs({
  options: { hyps: { type: 'string' }, manifest: { type: 'string' }, smoke: { type: 'boolean', default: false } },
});
const corpus = readCorpus().filter((_, nth) => !options.smoke || nth % 10 === 0);
/** How many rounds to time. */
const rounds = (usual: number): number => (options.smoke ? 1 : usual);
const results = await Promise.all(corpus.map(async (each) => ({ each, refined: await refineWhole(each.input) })));
const isRight = ({ each, refined }: (typeof results)[number]): boolean => refined.text === each.expected;

const scored = (name: string, cases: typeof results) => {
  const traps = cases.filter(({ each }) => each.trap);
  return {
    kind: name,
    cases: cases.length,
    'exact %': percent(cases.filter(isRight).length, cases.length),
    traps: traps.length,
    'traps kept %': traps.length > 0 ? percent(traps.filter(isRight).length, traps.length) : '–',
  };
};
const groupedBy = (key: (each: Case) => string) =>
  [...new Set(corpus.map(key))].sort().map((name) =>
    scored(
      name,
      results.filter(({ each }) => key(each) === name),
    ),
  );

console.log('## Exact match by kind\n');
console.log(markdownTable([...groupedBy(({ kind }) => kind), scored('all', results)]));
console.log('\n## Exact match by language\n');
console.log(markdownTable(groupedBy(({ language }) => language)));

// Traps must stay unchanged, so every edit of one is false.
const traps = results.filter(({ each }) => each.trap);
const falseRows = [
  {
    text: 'traps of the corpus',
    words: traps.reduce((sum, { refined }) => sum + wordCount(refined.rawText), 0),
    'false edits': traps.reduce((sum, { refined }) => sum + refined.edits.length, 0),
  },
];
/** In references of read speech every changed word is a false edit. Capitals, punctuation and digits do not count. */
const changesWords = ({ pass }: Edit): boolean =>
  /tagger|repeats|false-starts|corrections|commands|lists|artefacts|vocabulary/u.test(pass);
for (const set of ['en', 'multi']) {
  const manifest = join(EVAL, set, 'manifest.jsonl');
  if (!existsSync(manifest)) {
    console.log(`\n(no ${set} references found: false edits are counted on the corpus only)`);
    continue;
  }
  const rows = readFileSync(manifest, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  // Spontaneous speech has repetitions that should be removed; read speech has none.
  const read = rows.filter(({ file, text }) => text && !/meeting|phone/u.test(file));
  const texts = await Promise.all(
    read.map(({ text, language }) => refineWholeText(text.toLowerCase().replace(/[.,!?;:"]/gu, ''), language)),
  );
  falseRows.push({
    text: `read speech, ${set}, references without case and marks`,
    words: texts.reduce((sum, { rawText }) => sum + wordCount(rawText), 0),
    'false edits': texts.reduce((sum, { edits }) => sum + edits.filter(changesWords).length, 0),
  });
}
console.log('\n## False edits\n');
console.log(
  markdownTable(falseRows.map((row) => ({ ...row, 'per 1000 words': perThousand(row['false edits'], row.words) }))),
);

const vocabulary = await scoreVocabulary(
  corpus.filter(({ language }) => language === 'en').map(({ expected }) => expected),
);
console.log('\n## Custom vocabulary, both ways\n');
console.log(
  markdownTable([
    {
      'terms misheard': vocabulary.misheard,
      'recovered %': percent(vocabulary.recovered, vocabulary.misheard),
      'ordinary words': vocabulary.ordinaryWords,
      'damaged per 1000': perThousand(vocabulary.damaged.length, vocabulary.ordinaryWords),
    },
  ]),
);

/** Words of everyday text that give every pass something to do; `ofLength` repeats them. */
const sample = corpus
  .filter(({ language, kind }) => language === 'en' && kind !== 'bad-input')
  .flatMap(({ input }) => input.pieces.map(({ text }) => text))
  .join(' ')
  .split(/\s+/u);
const ofLength = (words: number): string =>
  Array.from({ length: words }, (_, n) => sample[n % sample.length]).join(' ');
/** CPU time: the minimum of several rounds, because other load on the machine only ever adds. */
const leastMs = (text: string, count: number, language = 'en'): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds(count); round++) {
    const start = process.cpuUsage();
    refineText(text, language);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
};
const leastWholeMs = async (text: string, count: number): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds(count); round++) {
    const start = process.cpuUsage();
    await refineWholeText(text, 'en');
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
};
leastMs(ofLength(2000), 10);
console.log('\n## Time on one core\n');
const timeRows = [];
for (const words of options.smoke ? [20, 100] : [20, 100, 1000, 5000, 10_000, 25_000, 50_000]) {
  const count = words > 5000 ? 3 : 20;
  const rules = leastMs(ofLength(words), count);
  const whole = await leastWholeMs(ofLength(words), Math.min(count, 5));
  timeRows.push({
    words,
    'rules, ms': Math.round(rules * 10) / 10,
    'per 1000 words': Math.round((rules / words) * 10_000) / 10,
    'with the tagger, ms': Math.round(whole * 10) / 10,
    'per 1000 words ': Math.round((whole / words) * 10_000) / 10,
  });
}
console.log(markdownTable(timeRows));

/** Terms designed to be as expensive as possible: similar in sound, long, or of many words. */
const letters = (n: number, alphabet: string, length: number): string =>
  Array.from({ length }, (_, k) => alphabet[Math.floor(n / alphabet.length ** k) % alphabet.length]).join('');
const HOSTILE_TERMS: Readonly<Record<string, readonly string[]>> = {
  'one sound, short': Array.from({ length: 500 }, (_, n) => `b${letters(n, 'aeiou', 1)}n${letters(n, 'aeiou', 4)}t`),
  'one sound, 60 letters': Array.from({ length: 500 }, (_, n) =>
    `bant${letters(n, 'aeiou', 5)}`.repeat(7).slice(0, 60),
  ),
  'many words': Array.from({ length: 500 }, (_, n) => `${letters(n, 'bdfgk', 5).split('').join(' ')} a b c d e f g h`),
};
const isOrdinary = (word: string): boolean => word.length < 4;
const withTerms = (vocabulary: readonly string[], text: string): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds(5); round++) {
    const start = process.cpuUsage();
    refineSync(
      {
        pieces: [{ text, startMs: 0, endMs: 0, language: 'en', confidence: 1 }],
        language: 'en',
        vocabulary: vocabulary.map((term) => ({ text: term })),
      },
      isOrdinary,
    );
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
};
console.log('\n## Hostile vocabulary, 500 terms\n');
console.log(
  markdownTable(
    Object.entries(HOSTILE_TERMS).map(([name, vocabulary]) => {
      // Text made of near-misses, no two alike.
      const text = Array.from({ length: 1000 }, (_, n) => `pond${letters(n, 'aeiouy', 6)}`.repeat(1 + (n % 7))).join(
        ' ',
      );
      return {
        terms: name,
        'everyday text, ms per 1000 words': Math.round(withTerms(vocabulary, ofLength(1000)) * 10) / 10,
        'near-misses, ms per 1000 words': Math.round(withTerms(vocabulary, text) * 10) / 10,
      };
    }),
  ),
);

/** Texts that make careless rules look back or ahead without limit. Time should grow linearly with the words. */
const HOSTILE: Readonly<Record<string, string>> = {
  'German numbers': 'de: ein und zwanzig hundert tausend',
  'French numbers': 'fr: quatre vingt dix mille et un',
  'Dutch ones': 'nl: een een twee',
  'one digit': '5',
  'one number word': 'one two hundred',
  'one answer': 'no',
  'one correction': 'tuesday no wednesday',
  'one letter': 'b c',
  'one filler': 'uh',
  'one order': 'buy milk scratch that',
  'broken off': 'we wan-',
  'half an address': 'a at b dot',
  'loose commas': 'a , b',
  'open brackets': '(soft',
};
console.log('\n## Hostile texts, ms\n');
console.log(
  markdownTable(
    Object.entries(HOSTILE).map(([name, text]) => {
      const [, language = 'en', phrase = text] = /^(\w\w): (.*)$/u.exec(text) ?? [];
      const words = phrase.split(' ').length;
      const ms = (length: number) => leastMs(`${phrase} `.repeat(Math.ceil(length / words)), 5, language);
      return {
        'repeated text': name,
        '5000 words': Math.round(ms(5000) * 10) / 10,
        '20000 words': Math.round(ms(20_000) * 10) / 10,
      };
    }),
  ),
);

if (options.hyps && options.manifest) {
  const languages = new Map(
    readFileSync(options.manifest, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ file, language }) => [file, language]),
  );
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-refine-'));
  const refined = join(folder, 'refined.jsonl');
  const rows = readFileSync(options.hyps, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const lines = rows.map(async (row) => {
    const { text } = await refineWholeText(row.text ?? '', row.language ?? languages.get(row.file) ?? null);
    return JSON.stringify({ ...row, text });
  });
  writeFileSync(refined, (await Promise.all(lines)).join('\n'));
  for (const [name, file] of [
    ['raw', options.hyps],
    ['refined', refined],
  ] as const) {
    console.log(`\n## WER, ${name}\n`);
    console.log(spawnSync('python3', [join(EVAL, 'wer.py'), options.manifest, file], { encoding: 'utf8' }).stdout);
  }
  rmSync(folder, { recursive: true });
}
