// Reads reference turns (RTTM) and reference words (JSON lines).
import { readFile } from 'node:fs/promises';

export interface Turn {
  readonly start: number;
  readonly end: number;
  readonly speaker: string;
}

export interface Word {
  readonly start: number;
  readonly end: number;
  readonly speaker: string;
  readonly word?: string;
}

export const parseRttm = (text: string): Turn[] =>
  text.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    if (fields[0] !== 'SPEAKER' || fields.length < 8) return [];
    const start = Number(fields[3]);
    return [{ start, end: start + Number(fields[4]), speaker: fields[7]! }];
  });

export const readRttm = async (path: string): Promise<Turn[]> => parseRttm(await readFile(path, 'utf8'));

export const readWords = async (path: string): Promise<Word[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Word);
