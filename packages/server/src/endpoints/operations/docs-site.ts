// Serves the documentation under /docs, as pages that the build renders and as Markdown, and /llms.txt.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../../lib/fault.ts';
import { setPageHeaders } from '../../transport/http/browsers/page-headers.ts';

const PACKAGE_FOLDER = new URL('../../../../', import.meta.url);
const BUILT = fileURLToPath(new URL('dist/docs', PACKAGE_FOLDER));
const ASSETS = fileURLToPath(new URL('assets/docs', PACKAGE_FOLDER));

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

/** Paths of all files below a folder; empty if it is missing. */
const filesIn = async (folder: string): Promise<Map<string, string>> => {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return new Map(names.map((name) => [name.replaceAll('\\', '/'), join(folder, name)]));
};

/** Only listed files are served, so no path can leave the folders. */
const listFiles = async (): Promise<ReadonlyMap<string, string>> =>
  new Map([...(await filesIn(BUILT)), ...(await filesIn(ASSETS))]);

export const addDocsSite = (app: FastifyInstance, basePath: string): void => {
  let listed: Promise<ReadonlyMap<string, string>> | undefined;
  const read = async (name: string) => {
    listed ??= listFiles();
    const path = (await listed).get(name);
    const type = TYPES[/\.(\w+)$/.exec(name)?.[1] ?? ''];
    if (path === undefined || type === undefined) throw new Fault('NOT_FOUND');
    return { type, content: await readFile(path) };
  };
  const serve = (path: string, nameOf: (wanted: string) => string) =>
    app.get<{ Params: { '*'?: string } }>(path, async (request, reply) => {
      const { type, content } = await read(nameOf(request.params['*'] ?? ''));
      setPageHeaders(reply);
      return reply.header('cache-control', 'public, max-age=300').type(type).send(content);
    });
  app.get('/docs', async (_request, reply) => reply.redirect(`${basePath}/docs/`, 302));
  serve('/llms.txt', () => 'llms.txt');
  serve('/docs/*', (wanted) => {
    if (wanted === '') return 'index.html';
    return /\.(md|css|js|json)$/.test(wanted) ? wanted : `${wanted}.html`;
  });
};
