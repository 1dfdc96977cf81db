// What a process and its children cost so far, by the part each plays in the service. Linux only: read from /proc.
import { readdir, readFile } from 'node:fs/promises';
import { sum } from './figures.ts';

/** Of the kernel's clock, in which /proc counts CPU time. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

export type Part = 'server' | 'voice' | 'recognisers';

export interface ProcessCost {
  readonly cpuSeconds: number;
  /** Added up over the processes, so pages that they share count several times. */
  readonly rssBytes: number;
  readonly cpuSecondsOf: Readonly<Record<Part, number>>;
}

interface Seen {
  readonly parent: number;
  readonly cpuSeconds: number;
  readonly rssBytes: number;
  readonly part: Part;
}

const partOf = (commandLine: string): Part => {
  if (commandLine.includes('recogniser-entry')) return 'recognisers';
  return commandLine.includes('voice-entry') ? 'voice' : 'server';
};

const look = async (pid: number): Promise<Seen | null> => {
  try {
    const [stat, commandLine] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return {
      parent: fields[1]!,
      // Its own time, and that of children that have ended.
      cpuSeconds: sum(fields.slice(11, 15)) / TICKS_PER_SECOND,
      rssBytes: fields[21]! * PAGE_BYTES,
      part: partOf(commandLine),
    };
  } catch {
    // Gone between the listing and the look.
    return null;
  }
};

export const processCost = async (root: number): Promise<ProcessCost> => {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const seen = new Map<number, Seen>();
  for (const pid of pids) {
    const found = await look(pid);
    if (found) seen.set(pid, found);
  }
  const isOurs = (pid: number): boolean => pid === root || (pid > 1 && isOurs(seen.get(pid)?.parent ?? 0));
  const ours = [...seen].filter(([pid]) => isOurs(pid)).map(([, found]) => found);
  const cpuOf = (part: Part) => sum(ours.filter((found) => found.part === part).map(({ cpuSeconds }) => cpuSeconds));
  return {
    cpuSeconds: sum(ours.map(({ cpuSeconds }) => cpuSeconds)),
    rssBytes: sum(ours.map(({ rssBytes }) => rssBytes)),
    cpuSecondsOf: { server: cpuOf('server'), voice: cpuOf('voice'), recognisers: cpuOf('recognisers') },
  };
};

/** What was spent between two looks; memory is that of the later one. */
export const spent = (before: ProcessCost, after: ProcessCost): ProcessCost => {
  const grown = (part: Part) => after.cpuSecondsOf[part] - before.cpuSecondsOf[part];
  return {
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    rssBytes: after.rssBytes,
    cpuSecondsOf: { server: grown('server'), voice: grown('voice'), recognisers: grown('recognisers') },
  };
};
