// Asks a yes-or-no question on the terminal.
import { createInterface } from 'node:readline/promises';

/** Whether questions can be asked; scripts are never asked. */
export const isInteractive = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

export const confirm = async (question: string): Promise<boolean> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
};
