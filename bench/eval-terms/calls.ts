// Telephone calls with lists of names: those said in the call, those of other calls, and common American names.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clip } from './clip.ts';

const LIST_TERMS = 100;

/** Frequent first and last names in the United States, in no particular order. */
const COMMON =
  'Mary Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Karen Sarah Lisa Nancy Sandra Betty Ashley Emily Kimberly Margaret Donna Michelle Carol Amanda Melissa Deborah Stephanie Rebecca Sharon Laura Cynthia Amy Kathleen Angela Shirley Brenda Emma Anna Pamela Nicole Samantha Katherine Christine Helen Debra Rachel Carolyn Janet Maria Catherine Heather Diane James Robert John Michael David William Richard Joseph Thomas Christopher Charles Daniel Matthew Anthony Steven Andrew Paul Joshua Kenneth Kevin Brian Timothy Ronald Jason George Edward Jeffrey Ryan Jacob Nicholas Gary Eric Jonathan Stephen Larry Justin Scott Brandon Benjamin Samuel Gregory Alexander Patrick Frank Raymond Jack Dennis Jerry Tyler Aaron Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Allen Wright Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts Gomez Phillips Evans Turner Diaz Parker'.split(
    ' ',
  );
const isCommon = new Set(COMMON.map((name) => name.toLowerCase()));
/** A marker in the transcript, such as "[noise]". */
const MARKER = /^[[<]/u;

interface Call {
  readonly path: string;
  readonly text: string;
}

/** The words after "my name is": the first one, and the second one if it is a common name. */
export const namesSaid = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\bmy name is (\p{L}+)(?: (\p{L}+))?/gu)].flatMap(([, first, last]) =>
      last && isCommon.has(last) ? [first!, last] : [first!],
    ),
  ),
];

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Calls in which names are said, each with a list of 100 names: its own, those of the other calls, and common ones. */
export const clipsOf = (calls: readonly Call[]): Clip[] => {
  const called = [...new Set(calls.flatMap(({ text }) => namesSaid(text)))].map(capitalised);
  return calls.flatMap(({ path, text }, nth) => {
    const rare = namesSaid(text);
    if (rare.length === 0) return [];
    // Each call starts at a different common name.
    const start = (nth * 37) % COMMON.length;
    const words = new Set(text.split(' '));
    const others = [...called, ...COMMON.slice(start), ...COMMON.slice(0, start)].filter(
      (name) => !words.has(name.toLowerCase()),
    );
    return [
      { path, text, rare, list: [...new Set([...rare.map(capitalised), ...others])].slice(0, LIST_TERMS).sort() },
    ];
  });
};

const parseLines = <Row>(text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => JSON.parse(line) as Row);

/** Reads recordings with a `.words.jsonl` beside them, and calls listed in a manifest. */
export const readCalls = async (folder: string): Promise<Clip[]> => {
  const calls: Call[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name.replace(/\.words\.jsonl$/u, '.flac'));
    if (!/^hv_.*\.words\.jsonl$/u.test(name) || !existsSync(path)) continue;
    const words = parseLines<{ word: string }>(await readFile(join(folder, name), 'utf8'));
    const said = words.flatMap(({ word }) => (MARKER.test(word) ? [] : word));
    calls.push({ path, text: said.join(' ') });
  }
  const manifest = join(folder, 'manifest.jsonl');
  if (existsSync(manifest))
    for (const row of parseLines<{ file: string; text: string; score: boolean }>(await readFile(manifest, 'utf8')))
      if (row.file.startsWith('phone_') && row.score) calls.push({ path: join(folder, row.file), text: row.text });
  return clipsOf(calls);
};
