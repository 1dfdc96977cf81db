// The thread that hashes passwords, one at a time and with less priority than transcription.
import { scryptSync } from 'node:crypto';
import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { HashingAnswer, HashingJob } from './password-hasher.ts';

/** As the sign-in library has it, so that hashes of earlier releases hold. */
const COST = { N: 16_384, r: 16, p: 1 };
const KEY_BYTES = 64;

// On Linux this is the priority of the thread alone; elsewhere it would be that of the whole server.
if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);

parentPort!.on('message', ({ id, password, salt }: HashingJob) => {
  const key = scryptSync(password.normalize('NFKC'), salt, KEY_BYTES, { ...COST, maxmem: 256 * COST.N * COST.r });
  parentPort!.postMessage({ id, key: key.toString('hex') } satisfies HashingAnswer);
});
