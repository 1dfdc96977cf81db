// The database's folder and files are for this user alone; where they are not, that is mended and said.
import { chmod, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import { LOCK_FILES } from './data-folder-lock.ts';
import { giveToFolderOwner } from './owner.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;
/** Beside the file itself, SQLite keeps these while it is open, with the mode of the file. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];

const shown = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

/** Called before the file is opened; makes it if there is none, so that it never exists with another mode. */
export const protectDatabase = async (
  folder: string,
  fileName: string,
  notice: (text: string) => void = () => {},
): Promise<void> => {
  await makeFolder(folder, FOLDER_MODE);
  await (await open(join(folder, fileName), 'a', FILE_MODE)).close();
  await giveToFolderOwner(join(folder, fileName));
  // Windows has no such modes.
  if (process.platform === 'win32') return;
  const ours = new Set([...SUFFIXES.map((suffix) => `${fileName}${suffix}`), ...LOCK_FILES]);
  const holdsOnlyOurs = (await readdir(folder)).every((name) => ours.has(name) || name.startsWith(`${fileName}.`));
  await narrow(folder, holdsOnlyOurs ? FOLDER_MODE : null, notice);
  for (const name of ours) await narrow(join(folder, name), FILE_MODE, notice);
};

/** With `mode` null only says what is wrong: the folder of other things too is not ours to close. */
const narrow = async (path: string, mode: number | null, notice: (text: string) => void): Promise<void> => {
  const found = await stat(path).catch(() => null);
  if (found === null || (found.mode & OTHERS) === 0) return;
  const could = `${path} could be read by other users (mode ${shown(found.mode)})`;
  if (mode === null) return notice(`${could}; it holds other files too, so it was left as it is`);
  try {
    await chmod(path, mode);
    notice(`${could}; the mode is ${shown(mode)} now`);
  } catch (cause) {
    notice(`${could}, and it cannot be changed: ${(cause as Error).message}`);
  }
};
