// The OpenAPI document: /openapi.json.
import { openApiDocument } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';

export const addDocuments = (app: FastifyInstance, version: string, publicUrl: string | undefined): void => {
  const servers = publicUrl === undefined ? {} : { servers: [{ url: publicUrl }] };
  const document = JSON.stringify({ ...openApiDocument(version), ...servers });
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('application/json; charset=utf-8').send(document),
  );
};
