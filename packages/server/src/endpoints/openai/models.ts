// GET /v1/models and /v1/models/{id}: the accepted model names. Many tools call it to test a key.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Calls } from '../../calls/calls.ts';
import type { ModelNames } from '../../calls/model-names.ts';
import { Fault } from '../../lib/fault.ts';
import { bearerKeyOf } from './api-key.ts';

/** Required by the format: when the models of this version were published, in Unix seconds. */
const CREATED = Date.UTC(2025, 10, 1) / 1000;

const modelObject = (id: string) => ({ id, object: 'model', created: CREATED, owned_by: 'faircopy' });

export const addModels = (app: FastifyInstance, { calls, names }: { calls: Calls; names: ModelNames }): void => {
  const authenticate = async (request: FastifyRequest): Promise<void> => {
    await calls.authenticate(bearerKeyOf(request.headers), { scope: null, address: request.clientAddress });
  };

  app.get(PATHS.models, { onRequest: authenticate }, async () => ({
    object: 'list',
    data: names.listed.map(modelObject),
  }));

  // A name may contain slashes.
  app.get(`${PATHS.models}/*`, { onRequest: authenticate }, async (request) => {
    const id = (request.params as { '*': string })['*'];
    if (names.tierOf(id) !== null) return modelObject(id);
    throw new Fault('NOT_FOUND', { message: 'There is no model with this name.', parameter: 'model' });
  });
};
