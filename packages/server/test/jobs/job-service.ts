// A service with jobs enabled, and helpers for callers.
import { setTimeout as wait } from 'node:timers/promises';
import { type JobResponse, jobListResponse, jobResponse } from '@faircopy/contract';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { FORM_TYPE } from '../http/forms.ts';
import { type Ending, type Service, type ServiceOptions, startService } from '../http/service.ts';
import { ON_THIS_MACHINE } from './receiver.ts';

export const JOBS_SECRET = 'a secret of at least thirty-two characters';

export interface JobService extends Service {
  submit(form: Buffer, headers?: Record<string, string>): Promise<Response>;
  /** Submits a job and returns its id. */
  accepted(form: Buffer, headers?: Record<string, string>): Promise<string>;
  get(id: string, key?: string): Promise<Response>;
  job(id: string, key?: string): Promise<JobResponse>;
  /** Waits until the job has ended. */
  ended(id: string, key?: string): Promise<JobResponse>;
  cancel(id: string): Promise<Response>;
  list(query?: string): Promise<ReturnType<typeof jobListResponse.parse>>;
  /** The authorization header of another account. */
  stranger(): Promise<{ readonly authorization: string }>;
}

export const startJobService = async (t: Ending, options: ServiceOptions = {}): Promise<JobService> => {
  const service = await startService(t, {
    ...options,
    config: { jobs: true, jobsSecret: JOBS_SECRET, ...options.config },
    overrides: { receivers: ON_THIS_MACHINE, ...options.overrides },
  });
  const authorization = (key = service.key) => ({ authorization: `Token ${key}` });
  const jobs = `${service.url}/v1/jobs`;
  const submit = (form: Buffer, headers: Record<string, string> = {}) =>
    fetch(jobs, { method: 'POST', headers: { ...authorization(), 'content-type': FORM_TYPE, ...headers }, body: form });
  const get = (id: string, key?: string) => fetch(`${jobs}/${id}`, { headers: authorization(key) });
  const job = async (id: string, key?: string) => jobResponse.strict().parse(await (await get(id, key)).json());
  return {
    ...service,
    submit,
    get,
    job,
    accepted: async (form, headers) => {
      const response = await submit(form, headers);
      if (response.status !== 202) throw new Error(`answered ${response.status}: ${await response.text()}`);
      return jobResponse.strict().parse(await response.json()).job.id;
    },
    ended: async (id, key) => {
      for (const deadline = Date.now() + 60_000; ; await wait(50)) {
        const found = await job(id, key);
        if (found.job.ended_at !== null || Date.now() > deadline) return found;
      }
    },
    cancel: (id) => fetch(`${jobs}/${id}/cancel`, { method: 'POST', headers: authorization() }),
    list: async (query = '') =>
      jobListResponse.strict().parse(await (await fetch(`${jobs}${query}`, { headers: authorization() })).json()),
    stranger: async () => {
      const { storage } = service.app;
      const { account } = await ensureAccount(storage, 'stranger');
      const { key } = await createKey(storage, { accountId: account.id, name: 's', createdBy: null });
      return authorization(key);
    },
  };
};
