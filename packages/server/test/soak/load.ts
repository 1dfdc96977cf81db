// The mixed load of a soak test: valid and damaged files, every tier, some languages, streams, and early disconnects.

import { setTimeout as wait } from 'node:timers/promises';
import { MODEL_IDS } from '@faircopy/contract';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { corpus } from '../fuzz/corpus.ts';
import { mutate } from '../fuzz/mutate.ts';
import { file, form, MODEL } from '../http/forms.ts';
import type { LoadServer } from '../overload/load-server.ts';
import { sendFile, sendStream, uploadOf } from '../overload/requests.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es'];
const FILE_SECONDS = [1, 3, 3, 8, 25];
const specimens = corpus().map(({ bytes }) => bytes);

export interface LoadCounts {
  readonly byKind: Map<string, number>;
  readonly statuses: Map<number, number>;
}

const add = <Key>(counts: Map<Key, number>, key: Key): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** Sends one request after another while `goesOn` returns true. */
export const mixedLoad = async (
  server: LoadServer,
  key: string,
  seed: number,
  goesOn: () => boolean,
  counts: LoadCounts,
): Promise<void> => {
  const random = seededRandom(seed);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const goodFile = () => uploadOf(one(FILE_SECONDS), one(MODEL_IDS), one(LANGUAGES));
  const kinds: Record<string, () => Promise<{ status: number; retryAfterSeconds: number }>> = {
    file: () => sendFile(server, key, goodFile()),
    'file, caller leaves': () => sendFile(server, key, goodFile(), random() * 200),
    'damaged file': () => {
      const bytes = mutate(one(specimens), random, one(specimens));
      return sendFile(server, key, form(MODEL, file(Buffer.from(bytes))));
    },
    stream: () => sendStream(server, key, { seconds: one([1, 3]), pace: 'at once', model: one(MODEL_IDS) }),
    'live stream': () => sendStream(server, key, { seconds: 2, pace: 'live', model: one(MODEL_IDS) }),
    'stream, caller leaves': () => sendStream(server, key, { seconds: 1, pace: 'at once', leaves: true }),
  };
  const names = Object.keys(kinds);
  while (goesOn()) {
    const name = one(names);
    const { status, retryAfterSeconds } = await kinds[name]!();
    add(counts.byKind, name);
    add(counts.statuses, status);
    if (status === 503 || status === 429) await wait(Math.min(5, Math.max(1, retryAfterSeconds)) * 1000);
  }
};
