// The memory of a process, as the machine sees it.
import { readFileSync } from 'node:fs';

const PAGE_BYTES = 4_096;

/** 0 when the process has just ended. */
export const residentBytesOf = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
};
