// A time limit for bodies that are parsed as a whole, such as the console's JSON.
import type { FastifyInstance } from 'fastify';
import { Fault } from '../../lib/fault.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads its body as it arrives and has its own time limit. */
    readonly readsOwnBody?: boolean;
  }
}

const PARSED_BODY_TIMEOUT_MS = 15_000;

export const limitParsedBodies = (app: FastifyInstance, timeoutMs = PARSED_BODY_TIMEOUT_MS): void => {
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (request.routeOptions.config.readsOwnBody || request.raw.complete) return payload;
    const timer = setTimeout(() => {
      const message = `The body did not arrive within ${timeoutMs / 1000} s.`;
      payload.emit('error', new Fault('REQUEST_TIMEOUT', { message }));
    }, timeoutMs);
    const stop = () => clearTimeout(timer);
    payload.once('end', stop).once('close', stop).once('error', stop);
    return payload;
  });
};
