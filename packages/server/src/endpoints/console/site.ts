// The console's pages: static files with a strict policy; every path under /console that names no file is the same page.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Fault } from '../../lib/fault.ts';

/** Nothing from other origins; the microphone for our own pages only. */
const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

export const setSecurityHeaders = (reply: FastifyReply): void => {
  reply.headers(SECURITY_HEADERS);
};

export const registerSite = async (app: FastifyInstance, siteFolder: string, basePath: string): Promise<void> => {
  const built = await readFile(join(siteFolder, 'index.html'), 'utf8').catch(() => null);
  // Scripts find their own files relative to themselves; only the page names them from the root.
  const page = built?.replaceAll('="/console/', `="${basePath}/console/`) ?? null;
  const sendPage = async (_request: unknown, reply: FastifyReply) => {
    if (page === null) throw new Fault('NOT_FOUND', { message: 'The console is not built here. Run: npm run build' });
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
  };
  if (page !== null)
    await app.register(fastifyStatic, {
      root: join(siteFolder, 'assets'),
      prefix: '/console/assets/',
      // Names hold a hash of the content.
      immutable: true,
      maxAge: '365d',
      index: false,
    });
  app.get('/console/icon.svg', async (_request, reply) =>
    reply.type('image/svg+xml').send(await readFile(join(siteFolder, 'icon.svg'))),
  );
  // What is under the API and has no route is a mistake of a program, not a page for a person.
  app.get('/console/api/*', async () => {
    throw new Fault('NOT_FOUND');
  });
  app.get('/', async (_request, reply) => reply.redirect(`${basePath}/console`, 302));
  app.get('/console', sendPage);
  app.get<{ Params: { '*': string } }>('/console/*', async (request, reply) => {
    // No page has such a name: whoever asks for a script must not be given a page in its place.
    if (/\.[a-z0-9]+$/i.test(request.params['*'])) throw new Fault('NOT_FOUND');
    return sendPage(request, reply);
  });
};
