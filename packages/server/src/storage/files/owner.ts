// What root makes in a data folder, as a command does beside a server with a user of its own, belongs to that user.
import { chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export const giveToFolderOwner = async (path: string): Promise<void> => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  await chown(path, uid, gid);
};
