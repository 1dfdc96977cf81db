// CPU time and memory of a process tree, by the role of each process. Linux only: read from /proc.
import { readdir, readFile } from 'node:fs/promises';
import { type ProcessRole, roleOf } from './process-role.ts';
import { sum } from './statistics.ts';

/** The kernel clock in which /proc counts CPU time. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

export interface ProcessCost {
  readonly cpuSeconds: number;
  /** Summed over the processes, so shared pages count several times. */
  readonly rssBytes: number;
  readonly cpuSecondsOf: Readonly<Record<ProcessRole, number>>;
}

interface ProcessSample {
  readonly parent: number;
  readonly cpuSeconds: number;
  readonly rssBytes: number;
  readonly role: ProcessRole;
}

const sampleProcess = async (pid: number): Promise<ProcessSample | null> => {
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
      // Its own time, and that of its children that have ended.
      cpuSeconds: sum(fields.slice(11, 15)) / TICKS_PER_SECOND,
      rssBytes: fields[21]! * PAGE_BYTES,
      role: roleOf(commandLine),
    };
  } catch {
    // The process ended after it was listed.
    return null;
  }
};

export const processCost = async (root: number): Promise<ProcessCost> => {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const samples = new Map<number, ProcessSample>();
  for (const pid of pids) {
    const sample = await sampleProcess(pid);
    if (sample) samples.set(pid, sample);
  }
  const isOurs = (pid: number): boolean => pid === root || (pid > 1 && isOurs(samples.get(pid)?.parent ?? 0));
  const ours = [...samples].filter(([pid]) => isOurs(pid)).map(([, sample]) => sample);
  const cpuOf = (role: ProcessRole) =>
    sum(ours.filter((each) => each.role === role).map(({ cpuSeconds }) => cpuSeconds));
  return {
    cpuSeconds: sum(ours.map(({ cpuSeconds }) => cpuSeconds)),
    rssBytes: sum(ours.map(({ rssBytes }) => rssBytes)),
    cpuSecondsOf: { server: cpuOf('server'), voice: cpuOf('voice'), recognisers: cpuOf('recognisers') },
  };
};

/** CPU time between two samples, and the memory of the later one. */
export const costBetween = (before: ProcessCost, after: ProcessCost): ProcessCost => {
  const cpuOf = (role: ProcessRole) => after.cpuSecondsOf[role] - before.cpuSecondsOf[role];
  return {
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    rssBytes: after.rssBytes,
    cpuSecondsOf: { server: cpuOf('server'), voice: cpuOf('voice'), recognisers: cpuOf('recognisers') },
  };
};
