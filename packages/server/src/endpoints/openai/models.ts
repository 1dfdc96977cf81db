// GET /v1/models and /v1/models/{id}: the names that are taken as `model`. Many tools ask for them to test a key.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Calls } from '../../calls/calls.ts';
import type { ModelNames } from '../../calls/model-names.ts';
import { Fault } from '../../lib/fault.ts';
import { bearerKey } from './bearer-key.ts';

/** When the models of this version were published, in Unix seconds: the list has to say something. */
const CREATED = Date.UTC(2025, 10, 1) / 1000;

const modelObject = (id: string) => ({ id, object: 'model', created: CREATED, owned_by: 'faircopy' });

export const addModels = (app: FastifyInstance, { calls, names }: { calls: Calls; names: ModelNames }): void => {
  const authenticate = async (request: FastifyRequest): Promise<void> => {
    await calls.authenticate(bearerKey(request));
  };

  app.get(PATHS.models, { onRequest: authenticate }, async () => ({
    object: 'list',
    data: names.listed.map(modelObject),
  }));

  // A name may have slashes in it.
  app.get(`${PATHS.models}/*`, { onRequest: authenticate }, async (request) => {
    const id = (request.params as { '*': string })['*'];
    if (names.tierOf(id) !== null) return modelObject(id);
    throw new Fault('NOT_FOUND', { message: 'There is no model of this name here.', parameter: 'model' });
  });
};
