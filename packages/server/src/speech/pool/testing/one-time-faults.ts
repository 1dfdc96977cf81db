// Marks in a folder that processes take away, so that a scripted mishap happens a set number of times.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileName = (mark: string): string => mark.replace(/\W/g, '-');

export const addFault = (folder: string, mark: string, times = 1): void => {
  mkdirSync(folder, { recursive: true });
  for (let time = 0; time < times; time++) writeFileSync(join(folder, `${fileName(mark)}.${time}`), '');
};

/** True when there was such a mark; it is gone then. */
export const takeFault = (folder: string, mark: string): boolean => {
  const found = readdirSync(folder).find((name) => name.startsWith(`${fileName(mark)}.`));
  if (found) rmSync(join(folder, found));
  return found !== undefined;
};
