// Names a build after its commit, so that two builds of one version can be distinguished: dist/src/build.json of the server.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What may stand behind the + of a version. */
const NAME = /^[0-9A-Za-z.-]{1,40}$/;

const git = (root, ...words) => {
  const { status, stdout } = spawnSync('git', words, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout.trim() : '';
};

/** FAIRCOPY_BUILD, or the commit with ".dirty" if files were changed; null without either. */
export const buildName = (root) => {
  const given = process.env.FAIRCOPY_BUILD;
  if (given) {
    if (NAME.test(given)) return given;
    console.error('FAIRCOPY_BUILD must have at most 40 letters, digits, dots and hyphens.');
    process.exit(78);
  }
  // A copy without a repository of its own may stand within another one.
  if (!existsSync(join(root, '.git'))) return null;
  const commit = git(root, 'rev-parse', '--short=12', 'HEAD');
  if (commit === '') return null;
  return git(root, 'status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}.dirty`;
};

export const writeBuildName = (root) => {
  const path = join(root, 'packages', 'server', 'dist', 'src', 'build.json');
  const text = `${JSON.stringify({ build: buildName(root) })}\n`;
  // An unchanged file keeps its time: builds that do nothing stay quick.
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
};
