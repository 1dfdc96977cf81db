// The methods of each route, to distinguish a wrong method (405) from a wrong path (404).
import type { FastifyInstance } from 'fastify';

export interface AllowedMethods {
  /** Methods of the routes that match a path; empty when none matches. */
  allowed(path: string): readonly string[];
}

/** A regular expression for a route pattern such as `/keys/:id` or `/files/*`. */
const matcher = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('/')
      .map((piece) =>
        piece === '*' ? '.*' : piece.startsWith(':') ? '[^/]+' : piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('/')}$`,
  );

/** Call before routes are added. */
export const collectAllowedMethods = (app: FastifyInstance): AllowedMethods => {
  const routes = new Map<string, { readonly match: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { match: matcher(url), methods: new Set() };
    routes.set(url, route);
    for (const name of [method].flat()) route.methods.add(name);
  });
  return {
    allowed: (path) => {
      const matching = [...routes.values()].filter(({ match }) => match.test(path));
      const methods = new Set(matching.flatMap((route) => [...route.methods]));
      if (methods.size > 0) methods.add('OPTIONS');
      return [...methods].sort();
    },
  };
};
