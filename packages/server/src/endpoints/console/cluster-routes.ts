// Route for administrators: the cluster's gateways and workers, with their load.
import type { FastifyInstance } from 'fastify';
import { administrator } from './guard.ts';
import type { ConsolePorts } from './ports.ts';

export const registerClusterRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  app.get('/console/api/admin/cluster', async (request, reply) => {
    await administrator(ports, request);
    // Without a cluster the body is JSON's null, which fastify would not send on its own.
    return reply.type('application/json').send(JSON.stringify(ports.clusterStatus()));
  });
};
