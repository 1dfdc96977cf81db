// Gives files that root creates in a data folder to the folder's owner, so that the server's user can open them.
import { chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export const chownToFolderOwner = async (path: string): Promise<void> => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  await chown(path, uid, gid);
};
