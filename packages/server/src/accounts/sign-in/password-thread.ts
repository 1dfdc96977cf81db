// The thread that hashes passwords, one at a time and at lower priority than transcription.
import { scryptSync } from 'node:crypto';
import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { HashRequest, HashResponse } from './password-hasher.ts';

/** The sign-in library's parameters, so that existing hashes stay valid. */
const COST = { N: 16_384, r: 16, p: 1 };
const KEY_BYTES = 64;

// On Linux this affects the thread only; elsewhere it would affect the whole process.
if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);

parentPort!.on('message', ({ id, password, salt }: HashRequest) => {
  const key = scryptSync(password.normalize('NFKC'), salt, KEY_BYTES, { ...COST, maxmem: 256 * COST.N * COST.r });
  parentPort!.postMessage({ id, key: key.toString('hex') } satisfies HashResponse);
});
