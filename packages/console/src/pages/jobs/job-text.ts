// The states of jobs and webhooks as the console shows them.
import type { JobObject } from '@faircopy/contract';
import type { TagState, Tone } from '../../components/tag.tsx';
import { statusText } from '../usage/status-text.ts';

export const STATE_TEXTS: Readonly<Record<JobObject['state'], string>> = {
  receiving: 'Uploading',
  waiting: 'Waiting',
  running: 'Running',
  succeeded: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const TONES: Readonly<Partial<Record<JobObject['state'], Tone>>> = { succeeded: 'good', failed: 'bad' };

export const tagOf = ({ state, error }: Pick<JobObject, 'state' | 'error'>): TagState => [
  error === null ? STATE_TEXTS[state] : statusText(error.code),
  TONES[state] ?? 'neutral',
];

export const isOpen = ({ state }: JobObject): boolean => state === 'waiting' || state === 'running';

const WEBHOOK_TEXTS: Readonly<Record<NonNullable<JobObject['webhook']>['state'], string>> = {
  waiting: 'pending',
  due: 'sending',
  delivered: 'delivered',
  failed: 'failed',
};

export const webhookText = ({ webhook }: JobObject): string => {
  if (webhook === null) return 'none';
  return webhook.state === 'due' && webhook.fault !== null ? 'retrying' : WEBHOOK_TEXTS[webhook.state];
};
