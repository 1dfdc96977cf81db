// Preloaded into the recognisers of an evaluation: sets the term rules and writes their decisions to a file.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { TERM_RULES } from '@faircopy/server/pipeline';
import { roleOf } from '../process-role.ts';
import { CHANNELS, DECISIONS_PARAMETER, RULES_PARAMETER } from './term-decisions.ts';

if (isMainThread && roleOf(process.argv[1] ?? '') === 'recognisers') {
  const { searchParams } = new URL(import.meta.url);
  Object.assign(TERM_RULES, JSON.parse(searchParams.get(RULES_PARAMETER)!));
  const path = searchParams.get(DECISIONS_PARAMETER)!;
  for (const [kind, channel] of Object.entries(CHANNELS))
    subscribe(channel, (decision) => appendFileSync(path, `${JSON.stringify({ [kind]: decision })}\n`));
}
