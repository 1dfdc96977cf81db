// Calls of the console that are about jobs.
import { type ConsoleJobs, consoleJobs } from '@faircopy/contract';
import { get, request } from './request.ts';

const jobsOf = (accountId: string): string => `/accounts/${encodeURIComponent(accountId)}/jobs`;

export const jobsApi = {
  list: (accountId: string, before: string | null): Promise<ConsoleJobs> =>
    get(consoleJobs, `${jobsOf(accountId)}${before === null ? '' : `?before=${encodeURIComponent(before)}`}`),
  cancel: (accountId: string, id: string) =>
    request('POST', `${jobsOf(accountId)}/${encodeURIComponent(id)}/cancel`, {}),
};
