// The resident memory of a process, from /proc.
import { readFileSync } from 'node:fs';

const PAGE_BYTES = 4_096;

/** 0 if the process has ended. */
export const residentBytesOf = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
};
