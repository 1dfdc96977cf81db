// Builds `Calls`, with which every endpoint begins its requests.

import type { VoicePrints } from '../accounts/voices/voice-prints.ts';
import { Calls } from '../calls/calls.ts';
import { KnownVoices } from '../calls/voices/known-voices.ts';
import { IdempotencyKeys } from '../idempotency/idempotency-keys.ts';
import { readBudgetStatus } from '../usage/budgets/stops.ts';
import type { Accounts } from './open-accounts.ts';
import type { Database } from './open-database.ts';
import type { Base } from './open-observability.ts';
import { requireSpeakers, type Speech } from './open-speech.ts';
import type { Usage } from './open-usage.ts';

export interface CallsSources {
  readonly base: Base;
  readonly database: Database;
  readonly accounts: Accounts;
  readonly usage: Usage;
  readonly speech: Speech;
  readonly prints: VoicePrints | undefined;
}

export const openCalls = ({ base, database, accounts, usage, speech, prints }: CallsSources): Calls => {
  const { config, lifecycle, clock, log, metrics, readiness, tracer } = base;
  const { storage } = database;
  const idempotency = lifecycle.own(
    'idempotency keys',
    new IdempotencyKeys({
      storage,
      holderId: database.processId,
      settle: (requestId) => usage.meter.settle(requestId),
      clock,
      log,
      metrics,
      memoryBytesMax: config.idempotencyMemoryBytes,
      diskBytesMax: config.idempotencyStore === 'memory' ? 0 : config.idempotencyDatabaseBytes,
    }),
  );
  return new Calls({
    config,
    clock,
    log,
    metrics,
    readiness,
    tracer,
    authenticator: accounts.authenticator,
    ...(accounts.vocabularyUses && { vocabularyUses: accounts.vocabularyUses }),
    ...(prints && { knownVoices: new KnownVoices({ prints, embedding: speech.engine.speakers?.embedding, log }) }),
    meter: usage.meter,
    slots: usage.slots,
    decoding: speech.decoding,
    voiceFeatures: async (owner, signal) => requireSpeakers(speech.engine).open(owner, signal),
    transcriber: speech.transcriber,
    queueWaits: speech.transcription.queueWaits,
    idempotency,
    readBudgetStatus: (principal) => readBudgetStatus(storage.read, principal, clock.now()),
  });
};
