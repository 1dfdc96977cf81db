// Kills the real server at random moments under HTTP and WebSocket load, then compares the ledger with what clients got.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { resultMessage, type SuccessResponse, successResponse } from '@faircopy/contract';
import { WebSocket } from 'ws';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys.ts';
import { spoken } from '../../src/speech/testing/tones.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/open.ts';
import { assertSumsAgree, ledger } from '../../src/usage/testing/ledger.ts';
import { FORM_TYPE, file, form, MODEL, wavOf } from '../http/forms.ts';
import { seededRandom } from './seeded-random.ts';

const SCRIPT = fileURLToPath(new URL('./server-process.js', import.meta.url));
const FILE_CLIENTS = 4;
const STREAM_CLIENTS = 2;
const ANSWERS_BEFORE_KILL_MAX = 25;
const RUN_MS_MAX = 10_000;

export interface ServerKillReport {
  readonly kills: number;
  readonly fileAnswers: number;
  readonly streamAnswers: number;
  /** Successes in the ledger whose client was cut off before the answer reached it. */
  readonly undelivered: number;
}

interface Received {
  readonly file: SuccessResponse[];
  readonly stream: SuccessResponse[];
}

const SOUND = spoken(['apple', 'bridge']);
const UPLOAD = form(MODEL, file(wavOf(SOUND)));
const PCM = wavOf(SOUND).subarray(44);

export const killServerRepeatedly = async (
  database: StorageOptions,
  kills: number,
  seed: number,
): Promise<ServerKillReport> => {
  const storage = await openStorage(database);
  try {
    const { account } = await ensureAccount(storage, 'killed');
    const { key } = await createKey(storage, { accountId: account.id, name: 'load', createdBy: null });
    const random = seededRandom(seed);
    const received: Received = { file: [], stream: [] };
    for (let kill = 0; kill < kills; kill++) await runServerUntilKilled(database, key, random, received);
    const undelivered = await assertLedger(storage, [...received.file, ...received.stream]);
    return { kills, fileAnswers: received.file.length, streamAnswers: received.stream.length, undelivered };
  } finally {
    await storage.close();
  }
};

/** The kill comes after a random number of answers, not after a time, so that slow machines see kills under load too. */
const runServerUntilKilled = async (
  database: StorageOptions,
  key: string,
  random: () => number,
  received: Received,
): Promise<void> => {
  const env = {
    ...process.env,
    PORT: '0',
    FAIRCOPY_NODE_NAME: 'killed',
    FAIRCOPY_DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl ?? '',
  };
  const child: ChildProcess = spawn(process.execPath, [SCRIPT], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const { value: address } = await createInterface(child.stdout!)[Symbol.asyncIterator]().next();
  assert.ok(address, 'the server came up after the kill before');
  let alive = true;
  let answersUntilKill = Math.floor(random() * ANSWERS_BEFORE_KILL_MAX);
  let timer = setTimeout(() => child.kill('SIGKILL'), RUN_MS_MAX);
  const countDown = () => {
    if (answersUntilKill-- !== 0) return;
    clearTimeout(timer);
    timer = setTimeout(() => child.kill('SIGKILL'), random() * 50);
  };
  countDown();
  const clients = [
    ...Array.from({ length: FILE_CLIENTS }, () => ({ send: sendFile, answers: received.file })),
    ...Array.from({ length: STREAM_CLIENTS }, () => ({ send: sendStream, answers: received.stream })),
  ].map(async ({ send, answers }) => {
    while (alive) {
      // Clients see the kill as a broken connection.
      const answer = await send(address, key).catch(() => null);
      if (!answer) continue;
      answers.push(answer);
      countDown();
    }
  });
  const [, signal] = await exited;
  alive = false;
  clearTimeout(timer);
  await Promise.all(clients);
  assert.equal(signal, 'SIGKILL', 'the server ended by the kill, not by itself');
};

const sendFile = async (address: string, key: string): Promise<SuccessResponse | null> => {
  const headers = { authorization: `Token ${key}`, 'content-type': FORM_TYPE };
  const response = await fetch(`${address}/v1/transcribe`, { method: 'POST', headers, body: UPLOAD });
  const body = await response.json();
  return response.ok ? successResponse.parse(body) : null;
};

const sendStream = (address: string, key: string): Promise<SuccessResponse | null> =>
  new Promise((resolve) => {
    const socket = new WebSocket(
      `${address.replace('http', 'ws')}/v1/transcribe/stream?token=${key}&model=svc-1.0-lite`,
    );
    let answer: SuccessResponse | null = null;
    socket.on('open', () => {
      socket.send(PCM);
      socket.send(JSON.stringify({ type: 'close_stream' }));
    });
    socket.on('message', (data) => {
      const message = resultMessage.safeParse(JSON.parse(String(data)));
      if (message.success) answer = message.data;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });

/** Every success that a client got has its row, with the same figures; the sums are those of the rows. */
const assertLedger = async (storage: Storage, answers: readonly SuccessResponse[]): Promise<number> => {
  const rows = new Map((await ledger(storage)).map((row) => [row.request_id, row]));
  assert.equal(new Set(answers.map((answer) => answer.request_id)).size, answers.length, 'no id was given twice');
  for (const answer of answers) {
    const row = rows.get(answer.request_id);
    assert.equal(row?.status, 'success', `the row of ${answer.request_id}`);
    assert.deepEqual(
      [row?.billed_ms, row?.audio_us, row?.output_token_count],
      [
        answer.usage.billed_audio_seconds * 1e3,
        Math.round(answer.result.duration_seconds * 1e6),
        answer.usage.output_token_count,
      ],
    );
  }
  await assertSumsAgree(storage);
  return [...rows.values()].filter((row) => row.status === 'success').length - answers.length;
};
