// Why a process ended, in words.
import type { ProcessEnd, ProcessEndReason } from '../engine-events.ts';

const SENTENCES: Readonly<Record<ProcessEndReason, string>> = {
  exited: 'ended',
  load_failed: 'could not load',
  load_timed_out: 'did not load in time',
  call_timed_out: 'took too long',
  no_sign_of_life: 'stopped responding',
  stop_timed_out: 'did not stop when asked',
  memory_limit: 'grew too large',
  unloaded: 'was restarted without unused models',
};

export const sentenceOf = ({ reason, detail }: ProcessEnd): string =>
  detail === undefined ? SENTENCES[reason] : `${SENTENCES[reason]}: ${detail}`;
