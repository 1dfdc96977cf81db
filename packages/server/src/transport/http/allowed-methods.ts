// Which methods each address answers to, so that a wrong method is told apart from a wrong address.
import type { FastifyInstance } from 'fastify';

export interface AllowedMethods {
  /** Methods of the routes that match a path; none when it is no address of ours. */
  allowed(path: string): readonly string[];
}

/** `/keys/:id` and `/files/*` as an expression over whole paths. */
const matcher = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('/')
      .map((piece) =>
        piece === '*' ? '.*' : piece.startsWith(':') ? '[^/]+' : piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('/')}$`,
  );

/** Must be called before routes are added. */
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
