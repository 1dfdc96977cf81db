// The part of Deepgram's management API that reads usage. The account is the only project.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Principal } from '../../accounts/principal.ts';
import type { Calls } from '../../calls/calls.ts';
import { Fault, invalidRequest } from '../../lib/fault.ts';
import type { Storage } from '../../storage/open.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { sumUsage } from '../../usage/reports/sums.ts';
import { listenKeyOf } from './live/handshake.ts';

export interface DeepgramUsageParts {
  readonly calls: Calls;
  readonly storage: Storage;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const SECONDS_PER_HOUR = 3600;
const DAY = /^\d{4}-\d{2}-\d{2}/;

interface ProjectRoute {
  Params: { projectId: string };
  Querystring: Record<string, string | undefined>;
}

const dayIn = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined || text === '') return undefined;
  if (DAY.test(text) && !Number.isNaN(Date.parse(text))) return text.slice(0, 10);
  throw invalidRequest(`"${name}" must be a date such as 2026-01-31.`, name);
};

export const addDeepgramUsage = (app: FastifyInstance, { calls, storage }: DeepgramUsageParts): void => {
  const callerOf = (request: FastifyRequest): Promise<Principal> =>
    calls.authenticate(listenKeyOf(request.headers), { scope: 'usage', address: request.clientAddress });
  const projectOf = ({ accountId, accountName }: Principal) => ({ project_id: accountId, name: accountName });

  const ownProject = async (request: FastifyRequest<ProjectRoute>): Promise<Principal> => {
    const principal = await callerOf(request);
    if (request.params.projectId === principal.accountId) return principal;
    throw new Fault('NOT_FOUND', { message: 'There is no such project. GET /v1/projects lists them.' });
  };

  app.get('/v1/projects', async (request) => ({ projects: [projectOf(await callerOf(request))] }));
  app.get<ProjectRoute>('/v1/projects/:projectId', async (request) => projectOf(await ownProject(request)));

  app.get<ProjectRoute>('/v1/projects/:projectId/usage', async (request) => {
    const { accountId } = await ownProject(request);
    const { start, end, tag, accessor } = request.query;
    const fromDay = dayIn('start', start);
    const toDay = dayIn('end', end);
    const sums = await orUnavailable(
      sumUsage(storage, {
        accountId,
        by: ['day'],
        fromDay,
        toDay,
        tag: tag || undefined,
        keyId: accessor || undefined,
      }),
    );
    const today = new Date().toISOString().slice(0, 10);
    return {
      start: fromDay ?? sums[0]?.group.day ?? today,
      end: toDay ?? sums.at(-1)?.group.day ?? today,
      resolution: { units: 'day', amount: 1 },
      results: sums.map(({ group, audioSeconds, billedSeconds, requests }) => {
        const day = group.day ?? today;
        return {
          start: day,
          end: new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10),
          hours: audioSeconds / SECONDS_PER_HOUR,
          total_hours: billedSeconds / SECONDS_PER_HOUR,
          requests,
        };
      }),
    };
  });
};
