// The type of a command, and the exit codes of all commands.
import type { Command } from 'commander';

/** Adds arguments, options, subcommands and the action to a command of the table. */
export type ConfigureCommand = (command: Command) => void;

/** Exit codes, after sysexits: scripts can distinguish a wrong call from a busy server. */
export const EXIT = { ok: 0, failed: 1, usage: 64, dataError: 65, unavailable: 69, software: 70, config: 78 } as const;
