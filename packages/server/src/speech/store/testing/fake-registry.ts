// A local registry with one package that misbehaves on request.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { deferred } from '../../../lib/time/deferred.ts';

/** Faults for the next requests of the tarball or a hub file, in order. */
export type Mishap = 'cut' | 'stall' | 'refuse' | 'garble' | 'none';

const CUT_AFTER_MS = 200;

export interface FakeRegistry {
  readonly url: string;
  /** Range header of each request for the tarball or a hub file, in order; '' without one. */
  readonly ranges: readonly string[];
  /** Resolves when a stalled response has sent its first half. */
  stalled(): Promise<void>;
  close(): Promise<void>;
}

export const packTarball = async (files: Readonly<Record<string, Uint8Array>>): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-pack-'));
  try {
    for (const [path, bytes] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    await create({ gzip: true, cwd: folder, file: join(folder, 'made.tgz') }, Object.keys(files));
    return await readFile(join(folder, 'made.tgz'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const send = (response: ServerResponse, bytes: Buffer, range: string, mishap: Mishap): void => {
  const start = Number(/^bytes=(\d+)-/.exec(range)?.[1] ?? 0);
  const body = bytes.subarray(start);
  if (mishap === 'refuse') {
    response.writeHead(403).end();
    return;
  }
  response.writeHead(start > 0 ? 206 : 200, {
    'content-length': body.length,
    ...(start > 0 && { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
  });
  if (mishap === 'garble') response.end(Buffer.alloc(body.length, 7));
  else if (mishap === 'none') response.end(body);
  else {
    response.write(body.subarray(0, body.length >> 1), () => {
      // Later, because a client drops unread data when the connection breaks.
      if (mishap === 'cut') setTimeout(() => response.destroy(), CUT_AFTER_MS);
    });
  }
};

export const fakeRegistry = async (options: {
  readonly package: string;
  readonly version: string;
  readonly tarball: Buffer;
  readonly hubFiles?: Readonly<Record<string, Uint8Array>>;
  readonly mishaps?: readonly Mishap[];
}): Promise<FakeRegistry> => {
  const mishaps = [...(options.mishaps ?? [])];
  const ranges: string[] = [];
  const stall = deferred<void>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const hubFile = Object.entries(options.hubFiles ?? {}).find(([name]) => path.endsWith(`/${name}`))?.[1];
    if (path === `/${options.package}`) {
      const integrity = `sha512-${createHash('sha512').update(options.tarball).digest('base64')}`;
      const dist = { tarball: `${url()}/${options.package}/-/it.tgz`, integrity };
      const manifest = { name: options.package, version: options.version, dist };
      response.end(
        JSON.stringify({
          name: options.package,
          'dist-tags': { latest: options.version },
          versions: { [options.version]: manifest },
        }),
      );
    } else if (path.endsWith('.tgz') || hubFile) {
      const range = request.headers.range ?? '';
      const mishap = mishaps.shift() ?? 'none';
      ranges.push(range);
      send(response, hubFile ? Buffer.from(hubFile) : options.tarball, range, mishap);
      if (mishap === 'stall') stall.resolve();
    } else response.writeHead(404).end('{}');
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: url(),
    ranges,
    stalled: () => stall.promise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
