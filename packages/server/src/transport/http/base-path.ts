// Serves the same routes below the path of the public address, whether the proxy keeps that path or strips it.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { withoutBasePath } from '../../lib/net/base-path.ts';

/** Called when every route is there: whoever listens for upgrades must do so already. */
export const stripBasePath = ({ server }: FastifyInstance, basePath: string): void => {
  if (basePath === '') return;
  const strip = (request: IncomingMessage) => {
    request.url = withoutBasePath(request.url ?? '/', basePath);
  };
  for (const event of ['request', 'upgrade', 'checkContinue', 'checkExpectation'])
    if (server.listenerCount(event) > 0) server.prependListener(event, strip);
};
