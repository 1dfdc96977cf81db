// The places where a folder is, or can be created.
import { dirname, resolve } from 'node:path';

/** The folder, then its parents up to the root. */
export const withParents = (folder: string): readonly string[] => {
  const path = resolve(folder);
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
};
