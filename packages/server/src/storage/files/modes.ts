// Restricts the database folder and files to the current user, and reports every mode it changes.
import { chmod, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { LOCK_FILES } from './data-folder-lock.ts';
import { chownToFolderOwner } from './owner.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;
/** Suffixes of the files that SQLite creates beside the database, with the same mode. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

/** Call this before opening the file. Creates a missing file, so that it never exists with a wider mode. */
export const protectDatabase = async (
  folder: string,
  fileName: string,
  notice: (text: string) => void = () => {},
): Promise<void> => {
  await makeFolder(folder, FOLDER_MODE);
  await (await open(join(folder, fileName), 'a', FILE_MODE)).close();
  await chownToFolderOwner(join(folder, fileName));
  if (process.platform === 'win32') return;
  const ours = new Set([...SUFFIXES.map((suffix) => `${fileName}${suffix}`), ...LOCK_FILES]);
  const holdsOnlyOurs = (await readdir(folder)).every((name) => ours.has(name) || name.startsWith(`${fileName}.`));
  await restrict(folder, holdsOnlyOurs ? FOLDER_MODE : null, notice);
  for (const name of ours) await restrict(join(folder, name), FILE_MODE, notice);
};

/** With `mode` null, only reports: a folder that also holds other files is left unchanged. */
const restrict = async (path: string, mode: number | null, notice: (text: string) => void): Promise<void> => {
  const found = await stat(path).catch(() => null);
  if (found === null || (found.mode & OTHERS) === 0) return;
  const readable = `${path} is readable by other users (mode ${octal(found.mode)})`;
  if (mode === null) return notice(`${readable}; left unchanged because the folder also holds other files`);
  try {
    await chmod(path, mode);
    notice(`${readable}; changed to ${octal(mode)}`);
  } catch (cause) {
    notice(`${readable}; changing it failed: ${(cause as Error).message}`);
  }
};
