// Creates a folder and its parents. Node's recursive mkdir reports ENOENT on a read-only file system and hangs below /proc.
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

export const makeFolder = async (folder: string, mode = 0o777): Promise<void> => {
  const path = resolve(folder);
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null;
    throw cause;
  });
  if (found?.isDirectory()) return;
  if (found !== null) throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR', path });
  await makeFolder(dirname(path), mode);
  await mkdir(path, { mode }).catch((cause: NodeJS.ErrnoException) => {
    // Another process created it first.
    if (cause.code !== 'EEXIST') throw cause;
  });
};
