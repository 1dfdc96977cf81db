// Serves all routes below the path of the public URL too, whether or not the proxy strips that path.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { withoutBasePath } from '../../lib/net/base-path.ts';

/** Call after all routes and upgrade listeners are registered. */
export const stripBasePath = ({ server }: FastifyInstance, basePath: string): void => {
  if (basePath === '') return;
  const strip = (request: IncomingMessage) => {
    request.url = withoutBasePath(request.url ?? '/', basePath);
  };
  for (const event of ['request', 'upgrade', 'checkContinue', 'checkExpectation'])
    if (server.listenerCount(event) > 0) server.prependListener(event, strip);
};
