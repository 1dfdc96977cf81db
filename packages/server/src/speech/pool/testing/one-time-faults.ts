// Faults that happen a given number of times: each occurrence is a file in a folder, removed when the fault happens.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileName = (fault: string): string => fault.replace(/\W/g, '-');

export const addFault = (folder: string, fault: string, times = 1): void => {
  mkdirSync(folder, { recursive: true });
  for (let time = 0; time < times; time++) writeFileSync(join(folder, `${fileName(fault)}.${time}`), '');
};

/** Consumes one occurrence of the fault; false when there is none. */
export const takeFault = (folder: string, fault: string): boolean => {
  const found = readdirSync(folder).find((name) => name.startsWith(`${fileName(fault)}.`));
  if (found) rmSync(join(folder, found));
  return found !== undefined;
};
