// What a command of the command line is: a file in commands/ that adds itself to the program.
import type { Command } from 'commander';

export type AddCommand = (program: Command) => void;

/** Exit codes, after sysexits: scripts can tell a wrong call from a server that is busy. */
export const EXIT = { ok: 0, failed: 1, usage: 64, dataError: 65, unavailable: 69, software: 70, config: 78 } as const;
