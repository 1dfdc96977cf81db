// A random secret in the data folder, created on first use and readable only by the current user.
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_NAME } from '../open.ts';
import { chownToFolderOwner } from './owner.ts';

const SECRET_BYTES = 32;

/** The secret of this name. Two processes that start at the same time get the same one. */
export const secretInFolder = async (folder: string, name: string): Promise<string> => {
  const path = join(folder, `${FILE_NAME}.${name}`);
  const known = await readSecret(path);
  if (known !== undefined) return known;
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await chownToFolderOwner(draft);
  try {
    // Unlike a rename, a link never replaces a secret that is in use.
    await link(draft, path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  } finally {
    await rm(draft, { force: true });
  }
  const made = await readSecret(path);
  if (made === undefined) throw new Error(`${path} could not be written`);
  return made;
};

const readSecret = async (path: string): Promise<string | undefined> => {
  try {
    const secret = (await readFile(path, 'utf8')).trim();
    if (secret !== '') return secret;
    throw new Error(`${path} is empty: restore it from a backup, or delete it to create a new one`);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  }
};
