// A small disk for tests that fill it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ending } from '../http/service.ts';

/** The folder of a new tmpfs; undefined if mounting is not permitted. */
export const smallDisk = (t: Ending, megabytes: number): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  t.after(async () => {
    execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
};
