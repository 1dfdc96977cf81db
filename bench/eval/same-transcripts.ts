// Compares transcripts, refined or raw, with those that an earlier run wrote. Any difference counts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hypothesis } from './score.ts';

/** One entry for each transcript that differs from the earlier run or is missing there. */
export const differences = async (
  folder: string,
  name: string,
  transcripts: Iterable<Hypothesis>,
): Promise<readonly string[]> => {
  const lines = (await readFile(join(folder, name), 'utf8')).split('\n').filter((line) => line !== '');
  const earlier = new Map(lines.map((line) => JSON.parse(line) as Hypothesis).map((each) => [each.file, each]));
  const found: string[] = [];
  for (const { file, text, language } of transcripts) {
    const before = earlier.get(file);
    if (before?.text === text && before.language === language) continue;
    found.push(`${name} ${file}\n  before: ${before?.language} ${before?.text}\n  now:    ${language} ${text}`);
  }
  return found;
};
