// What became of a job and of its webhook, in words.
import type { JobObject } from '@faircopy/contract';
import { statusText } from '../usage/status-text.ts';

export const STATE_WORDS: Readonly<Record<JobObject['state'], string>> = {
  receiving: 'Arriving',
  waiting: 'Waiting',
  running: 'At work',
  succeeded: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const TONES: Readonly<Partial<Record<JobObject['state'], string>>> = { succeeded: 'tag-good', failed: 'tag-bad' };

export const toneOf = ({ state }: JobObject): string => TONES[state] ?? '';

export const stateText = ({ state, error }: JobObject): string =>
  error === null ? STATE_WORDS[state] : statusText(error.code);

export const isOpen = ({ state }: JobObject): boolean => state === 'waiting' || state === 'running';

const WEBHOOK_WORDS: Readonly<Record<NonNullable<JobObject['webhook']>['state'], string>> = {
  waiting: 'when it ends',
  due: 'being sent',
  delivered: 'delivered',
  failed: 'given up',
};

export const webhookText = ({ webhook }: JobObject): string => {
  if (webhook === null) return 'none';
  return webhook.state === 'due' && webhook.fault !== null ? 'tried again' : WEBHOOK_WORDS[webhook.state];
};
