// Transcripts that an earlier run wrote with --json, as systems to score and compare.
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Hypothesis } from './score.ts';
import type { ScoredSystem } from './scored-system.ts';

const readTranscripts = async (path: string): Promise<readonly Hypothesis[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Hypothesis);

/** The systems of a folder, labelled with the name of the folder. Files are named `SYSTEM.SET.jsonl`. */
export const recordedSystems = async (folder: string): Promise<readonly ScoredSystem[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl') && !name.endsWith('.raw.jsonl'));
  const systems = new Map<string, Map<string, Hypothesis>>();
  for (const name of names.sort()) {
    const [, system = '', set = ''] = /^(.*)\.([^.]+)\.jsonl$/.exec(name) ?? [];
    const heard = systems.get(system) ?? new Map<string, Hypothesis>();
    for (const row of await readTranscripts(join(folder, name))) heard.set(`${set}/${row.file}`, row);
    systems.set(system, heard);
  }
  return [...systems].map(([name, heard]) => ({
    name: `${name} (${basename(folder)})`,
    parallel: 1,
    supports: ({ file }, set) => heard.has(`${set}/${file}`),
    async transcribe(_path, { file }, set) {
      const found = heard.get(`${set}/${file}`);
      if (!found) throw new Error(`There is no transcript of ${file} in ${folder}.`);
      const { text, language = null, seconds_wall: wallSeconds = 0 } = found;
      return { text, rawText: text, language, wallSeconds };
    },
    close: async () => {},
  }));
};
