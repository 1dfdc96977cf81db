// The client for browsers as two files under /client, so that a page of any site can import them without a bundler.
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../../lib/fault.ts';

const FILES = ['faircopy.js', 'worklet.js'] as const;

export const addBrowserClient = (app: FastifyInstance): void => {
  for (const name of FILES)
    app.get(`/client/${name}`, async (_request, reply) => {
      const folder = import.meta.resolve('@faircopy/client/browser');
      const content = await readFile(new URL(name, folder)).catch(() => {
        throw new Fault('NOT_FOUND');
      });
      // Nothing in these files is secret, and every site may load them (transport/http/browsers/cors.ts).
      return reply
        .headers({
          'cache-control': 'public, max-age=300',
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
        })
        .type('text/javascript; charset=utf-8')
        .send(content);
    });
};
