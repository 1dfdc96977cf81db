// Writes the name of the build to the server's dist/src/build.json, to distinguish builds of the same version.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The characters allowed after the + of a version. */
const NAME = /^[0-9A-Za-z.-]{1,40}$/;

const git = (root, ...words) => {
  const { status, stdout } = spawnSync('git', words, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout.trim() : '';
};

/** FAIRCOPY_BUILD, or the commit, with ".dirty" if files were changed; null if neither is known. */
export const buildName = (root) => {
  const given = process.env.FAIRCOPY_BUILD;
  if (given) {
    if (NAME.test(given)) return given;
    console.error('FAIRCOPY_BUILD must have at most 40 letters, digits, dots and hyphens.');
    process.exit(78);
  }
  // A copy without its own repository may be inside another repository, whose commit would be wrong.
  if (!existsSync(join(root, '.git'))) return null;
  const commit = git(root, 'rev-parse', '--short=12', 'HEAD');
  if (commit === '') return null;
  return git(root, 'status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}.dirty`;
};

export const writeBuildName = (root) => {
  const path = join(root, 'packages', 'server', 'dist', 'src', 'build.json');
  const text = `${JSON.stringify({ build: buildName(root) })}\n`;
  // An unchanged file keeps its time, so that builds without changes stay fast.
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
};
