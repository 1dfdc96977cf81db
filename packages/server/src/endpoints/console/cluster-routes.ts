// For administrators: the gateways and workers of the cluster, with their load.
import type { FastifyInstance } from 'fastify';
import { administrator } from './guard.ts';
import type { ConsolePorts } from './ports.ts';

export const registerClusterRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  app.get('/console/api/admin/cluster', async (request, reply) => {
    await administrator(ports, request);
    // A server that stands alone answers with JSON's null.
    return reply.type('application/json').send(JSON.stringify(ports.clusterStatus()));
  });
};
