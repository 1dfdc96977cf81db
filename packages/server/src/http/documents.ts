// The interface described for machines: /openapi.json.
import { openApiDocument } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';

export const addDocuments = (app: FastifyInstance, version: string): void => {
  const document = JSON.stringify(openApiDocument(version));
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('application/json; charset=utf-8').send(document),
  );
};
