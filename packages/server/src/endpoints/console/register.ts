// Registers the console: its API and its pages.
import type { FastifyInstance } from 'fastify';
import { basePathOf } from '../../lib/net/base-path.ts';
import { setPageHeaders } from '../../transport/http/browsers/page-headers.ts';
import { registerAccountRoutes } from './account-routes.ts';
import { registerAdminRoutes } from './admin-routes.ts';
import { registerBudgetRoutes } from './budget-routes.ts';
import { registerClusterRoutes } from './cluster-routes.ts';
import { keepFromCaches, refuseCrossSite, refuseNul } from './guard.ts';
import { registerJobRoutes } from './job-routes.ts';
import { registerPeopleRoutes } from './people-routes.ts';
import { registerPlaygroundEndpoint } from './playground-endpoint.ts';
import type { ConsolePorts } from './ports.ts';
import { registerProfileRoutes } from './profile-routes.ts';
import { registerReceiptRoutes } from './receipt-routes.ts';
import { registerSignInRoutes } from './sign-in-routes.ts';
import { registerSite } from './site.ts';
import { registerTotalsRoutes } from './totals-routes.ts';
import { registerUsageRoutes } from './usage-routes.ts';

export type { ConsolePorts } from './ports.ts';

export const registerConsole = async (app: FastifyInstance, ports: ConsolePorts): Promise<void> => {
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => setPageHeaders(reply));
    scope.addHook('onRequest', keepFromCaches);
    scope.addHook('onRequest', refuseNul);
    scope.addHook('onRequest', refuseCrossSite(ports));
    registerSignInRoutes(scope, ports);
    registerProfileRoutes(scope, ports);
    registerAccountRoutes(scope, ports);
    registerPeopleRoutes(scope, ports);
    registerPlaygroundEndpoint(scope, ports);
    registerUsageRoutes(scope, ports);
    registerReceiptRoutes(scope, ports);
    registerBudgetRoutes(scope, ports);
    registerTotalsRoutes(scope, ports);
    registerJobRoutes(scope, ports);
    registerAdminRoutes(scope, ports);
    registerClusterRoutes(scope, ports);
    await registerSite(scope, ports.siteFolder, basePathOf(ports.publicUrl));
  });
};
