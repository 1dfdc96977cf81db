// The console's pages: static files under a strict policy. Every other path under /console serves the same page.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Fault } from '../../lib/fault.ts';

export const registerSite = async (app: FastifyInstance, siteFolder: string, basePath: string): Promise<void> => {
  const built = await readFile(join(siteFolder, 'index.html'), 'utf8').catch(() => null);
  // Scripts load their files by relative paths; only the page uses absolute ones.
  const page = built?.replaceAll('="/console/', `="${basePath}/console/`) ?? null;
  const sendPage = async (_request: unknown, reply: FastifyReply) => {
    if (page === null) throw new Fault('NOT_FOUND', { message: 'The console is not built. Run: npm run build' });
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
  };
  if (page !== null)
    await app.register(fastifyStatic, {
      root: join(siteFolder, 'assets'),
      prefix: '/console/assets/',
      // File names contain a hash of the content.
      immutable: true,
      maxAge: '365d',
      index: false,
    });
  app.get('/console/icon.svg', async (_request, reply) =>
    reply.type('image/svg+xml').send(await readFile(join(siteFolder, 'icon.svg'))),
  );
  app.get('/console/sample.ogg', async (_request, reply) =>
    reply.type('audio/ogg').send(await readFile(join(siteFolder, 'sample.ogg'))),
  );
  // Unknown API paths are requested by programs, so they get a JSON error instead of the page.
  app.get('/console/api/*', async () => {
    throw new Fault('NOT_FOUND');
  });
  app.get('/', async (_request, reply) => reply.redirect(`${basePath}/console`, 302));
  app.get('/console', sendPage);
  app.get<{ Params: { '*': string } }>('/console/*', async (request, reply) => {
    // A request for a missing script must not get the page.
    if (/\.[a-z0-9]+$/i.test(request.params['*'])) throw new Fault('NOT_FOUND');
    return sendPage(request, reply);
  });
};
