// Calls of the console that are about jobs.
import { type ConsoleJobs, consoleJobs } from '@faircopy/contract';
import { get, query, request } from './request.ts';

const jobsOf = (accountId: string): string => `/accounts/${encodeURIComponent(accountId)}/jobs`;

export interface JobsWish {
  /** The oldest job of the page before this one. */
  readonly before: string | null;
  /** Empty: any. */
  readonly state: string;
}

export const jobsApi = {
  list: (accountId: string, { before, state }: JobsWish): Promise<ConsoleJobs> =>
    get(consoleJobs, `${jobsOf(accountId)}${query({ before: before ?? undefined, state })}`),
  cancel: (accountId: string, id: string) =>
    request('POST', `${jobsOf(accountId)}/${encodeURIComponent(id)}/cancel`, {}),
};
