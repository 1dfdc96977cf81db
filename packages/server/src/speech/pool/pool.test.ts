import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SpeechEvent } from '../engine-events.ts';
import { RecogniserUnavailable, type SpeechWindow } from '../recogniser.ts';
import { windowOf } from '../testing/recogniser-fixtures.ts';
import { RecogniserPool, type RecogniserPoolOptions } from './pool.ts';
import type { RecogniserInit } from './serve-recogniser.ts';
import { addFault } from './testing/one-time-faults.ts';

const ENTRY = fileURLToPath(new URL('./testing/scripted-entry.js', import.meta.url));
const NEVER = new AbortController().signal;

const window = (...vocabulary: string[]): SpeechWindow =>
  windowOf({ vocabulary: vocabulary.map((text) => ({ text })) });

interface PoolTestOptions extends Partial<Omit<RecogniserPoolOptions, 'processes'>> {
  readonly processes?: number;
  readonly faults?: [string, number][];
}

const openPool = (t: TestContext, { processes = 1, faults = [], ...options }: PoolTestOptions = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-pool-'));
  for (const [fault, times] of faults) addFault(folder, fault, times);
  const init: RecogniserInit = { folders: { faults: folder }, tiers: ['svc-1.0-lite'], threads: 1 };
  const events: SpeechEvent[] = [];
  const pool = new RecogniserPool({
    entry: ENTRY,
    onEvent: (event) => events.push(event),
    processes: Array.from({ length: processes }, () => init),
    rssBytesMax: Number.POSITIVE_INFINITY,
    ...options,
  });
  t.after(async () => {
    await pool.close();
    rmSync(folder, { recursive: true, force: true });
  });
  pool.start();
  const retries = () => events.filter(({ type }) => type === 'recognition_retried').length;
  return { pool, folder, events, retries };
};

const ANSWER = /^16000 samples in svc-1.0-lite/;
const pidOf = (text: string): number => Number(/by (\d+)$/.exec(text)?.[1]);
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const gone = async (pid: number): Promise<void> => {
  while (isAlive(pid)) await delay(10);
};

test('windows run in child processes, at most one per slot', async (t) => {
  const { pool } = openPool(t, { processes: 2 });
  await pool.ready();
  const answers = await Promise.all([
    pool.recognise(window('late=50'), NEVER),
    pool.recognise(window('late=50'), NEVER),
  ]);
  assert.match(answers[0].text, ANSWER);
  assert.notEqual(pidOf(answers[0].text), pidOf(answers[1].text));
  assert.ok(!answers.some(({ text }) => pidOf(text) === process.pid));
  const running = [pool.recognise(window('late=50'), NEVER), pool.recognise(window(), NEVER)];
  await assert.rejects(pool.recognise(window(), NEVER), /more windows than recogniser slots/);
  await Promise.all(running);
});

for (const mishap of ['crash', 'abort', 'throw'] as const) {
  test(`a window is retried when its recogniser has the fault "${mishap}"`, async (t) => {
    const { pool, folder, retries } = openPool(t);
    addFault(folder, `once:${mishap}`);
    const { text } = await pool.recognise(window(`once:${mishap}`), NEVER);
    assert.match(text, ANSWER);
    assert.equal(retries(), 1);
    assert.equal(pool.processes[0]?.restarts, mishap === 'throw' ? 0 : 1);
  });
}

test('a hung recogniser is killed for its silence, and the window retried', async (t) => {
  const { pool, folder, events } = openPool(t, { silenceMsMax: 300 });
  await pool.ready();
  addFault(folder, 'once:hang');
  assert.match((await pool.recognise(window('once:hang'), NEVER)).text, ANSWER);
  assert.deepEqual(
    events.map((event) => [
      event.type,
      'requestId' in event && event.requestId,
      'reason' in event ? event.reason : 'error' in event && event.error,
    ]),
    [
      ['process_ended', 'request-1', 'no_sign_of_life'],
      ['recognition_retried', 'request-1', 'RecogniserUnavailable'],
    ],
  );
});

test('running out of memory ends one process, not the server', async (t) => {
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=64`;
  t.after(() => {
    process.env.NODE_OPTIONS = process.env.NODE_OPTIONS?.replace(' --max-old-space-size=64', '');
  });
  const { pool, folder } = openPool(t);
  addFault(folder, 'once:allocate');
  assert.match((await pool.recognise(window('once:allocate'), NEVER)).text, ANSWER);
  assert.equal(pool.processes[0]?.restarts, 1);
});

test('a window that kills every recogniser fails after one retry', async (t) => {
  const { pool } = openPool(t);
  await assert.rejects(pool.recognise(window('crash'), NEVER), RecogniserUnavailable);
  assert.equal(pool.processes[0]?.restarts, 2);
  assert.match((await pool.recognise(window(), NEVER)).text, ANSWER);
});

test('a bug in a recogniser is reported with its type and stack, without its message', async (t) => {
  const { pool, events } = openPool(t);
  await assert.rejects(pool.recognise(window('throw'), NEVER), (thrown: unknown) => {
    assert.ok(thrown instanceof Error && !(thrown instanceof RecogniserUnavailable));
    assert.equal(thrown.name, 'TypeError');
    assert.match(thrown.stack ?? '', /at act .*scripted-entry/);
    assert.doesNotMatch(`${thrown.message} ${thrown.stack}`, /what was said/);
    return true;
  });
  assert.deepEqual(events, [{ type: 'recognition_retried', requestId: 'request-1', error: 'TypeError' }]);
});

test('a single window runs on the first process, which may have more threads', async (t) => {
  const { pool } = openPool(t, { processes: 2 });
  await pool.ready();
  for (let round = 0; round < 3; round++) {
    assert.equal(pidOf((await pool.recognise(window(), NEVER)).text), pool.processes[0]?.pid);
  }
});

test('a cancelled window stops between model runs, and its process survives', async (t) => {
  const { pool, retries } = openPool(t);
  const before = pidOf((await pool.recognise(window(), NEVER)).text);
  const controller = new AbortController();
  const cancelled = pool.recognise(window('until-stopped'), controller.signal);
  controller.abort(new Error('no longer wanted'));
  await assert.rejects(cancelled, /no longer wanted/);
  assert.equal(pidOf((await pool.recognise(window(), NEVER)).text), before);
  assert.equal(retries(), 0);
});

test('a cancelled window may finish a long model run, even after short ones', async (t) => {
  const { pool } = openPool(t);
  const before = pidOf((await pool.recognise(window(), NEVER)).text);
  const controller = new AbortController();
  const cancelled = pool.recognise(window('late=2000'), controller.signal);
  controller.abort(new Error('no longer wanted'));
  await assert.rejects(cancelled, /no longer wanted/);
  assert.equal(pidOf((await pool.recognise(window(), NEVER)).text), before);
});

test('a cancelled window stuck in a model run is killed, and not retried', async (t) => {
  const { pool, retries } = openPool(t);
  await pool.ready();
  const controller = new AbortController();
  const cancelled = pool.recognise(window('hang'), controller.signal);
  controller.abort(new Error('no longer wanted'));
  await assert.rejects(cancelled, /no longer wanted/);
  assert.match((await pool.recognise(window(), NEVER)).text, ANSWER);
  assert.equal(retries(), 0);
  assert.equal(pool.processes[0]?.restarts, 1);
});

test('a process that dies while loading is restarted', async (t) => {
  const { pool } = openPool(t, { faults: [['die-at-load', 1]] });
  await pool.ready();
  assert.match((await pool.recognise(window(), NEVER)).text, ANSWER);
});

test('when loading fails repeatedly, the reason is reported and windows are refused', async (t) => {
  const { pool } = openPool(t, { faults: [['fail-at-load', 100]] });
  const waiting = pool.recognise(window(), NEVER);
  await assert.rejects(pool.ready(), /the model file is not readable/);
  await assert.rejects(waiting, RecogniserUnavailable);
  await assert.rejects(pool.recognise(window(), NEVER), RecogniserUnavailable);
});

test('a pool is broken while no process can load, and reports the change', async (t) => {
  const { pool } = openPool(t, { faults: [['fail-at-load', 3]] });
  const seen: boolean[] = [];
  await new Promise<void>((resolve) => {
    pool.onBroken(() => {
      seen.push(pool.isBroken);
      if (!pool.isBroken) resolve();
    });
  });
  assert.deepEqual(seen, [true, false]);
  assert.match((await pool.recognise(window(), NEVER)).text, ANSWER);
});

test('a process that has grown too large is replaced after its window', async (t) => {
  const { pool } = openPool(t, { rssBytesMax: 1 });
  const first = pidOf((await pool.recognise(window(), NEVER)).text);
  const second = pidOf((await pool.recognise(window(), NEVER)).text);
  assert.notEqual(first, second);
});

test('a process that has grown too large is not given to a waiting window', async (t) => {
  const { pool, retries } = openPool(t, { processes: 2, rssBytesMax: 1 });
  const recognised = async () => pidOf((await pool.recognise(window(), NEVER)).text);
  const series = async () => [await recognised(), await recognised(), await recognised()];
  const pids = (await Promise.all([series(), series()])).flat();
  assert.equal(new Set(pids).size, pids.length);
  assert.equal(retries(), 0);
});

test('closing ends the processes and rejects pending windows', async (t) => {
  const { pool } = openPool(t);
  const pid = pidOf((await pool.recognise(window(), NEVER)).text);
  const pending = pool.recognise(window('hang'), NEVER);
  const settled = assert.rejects(pending);
  await pool.close();
  await settled;
  await gone(pid);
  await assert.rejects(pool.recognise(window(), NEVER), RecogniserUnavailable);
});

test('no recogniser outlives a killed parent, not even one that hangs', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-pool-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const entry = fileURLToPath(new URL('./testing/parent-entry.js', import.meta.url));
  const parent: ChildProcess = fork(entry, [ENTRY, folder], { execArgv: [] });
  const [pids] = (await once(parent, 'message')) as [number[]];
  assert.equal(pids.length, 2);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await Promise.all(pids.map(gone));
});
