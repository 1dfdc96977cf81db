import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { ModelId } from '@faircopy/contract';
import { recognitionOf } from '../../../speech/testing/recogniser-fixtures.ts';
import type { Task } from '../task.ts';
import { LentSlots } from '../testing/lent-slots.ts';
import { scriptedScheduler, task } from '../testing/scripted-scheduler.ts';

const LITE: ModelId = 'svc-1.0-lite';
const MAX: ModelId = 'svc-1.0-max';
const FREEING_MS_MAX = 2_000;
const turn = (): Promise<void> => new Promise(setImmediate);

const setUp = (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const recogniser = new LentSlots();
  const { scheduler } = scriptedScheduler(1, { recogniser });
  const submit = (name: string, of: Partial<Task> = {}) =>
    scheduler.submit(task({ name, tier: LITE, requestId: name, audioSamples: 16_000, ...of }));
  return { recogniser, submit };
};

test('background work is not stopped for a tier that cannot use its slot', async (t) => {
  const { recogniser, submit } = setUp(t);
  recogniser.areShared = false;
  recogniser.lend(LITE, 0);
  recogniser.lend(MAX);
  const background = submit('background', { tier: MAX, urgency: 'background' });
  submit('firm');
  await turn();
  assert.deepEqual(recogniser.names(), ['background']);
  recogniser.running[0]!.resolve(recognitionOf({ text: 'undisturbed' }));
  assert.equal((await background.result).text, 'undisturbed');
});

test('a stopped window does not take its slot back while firm work waits for it', async (t) => {
  const { recogniser, submit } = setUp(t);
  recogniser.lend(LITE, 0);
  recogniser.lend(MAX);
  const background = submit('background', { tier: MAX, urgency: 'background' });
  const firm = submit('firm');
  await turn();
  // The slot is free again, but for the tier of the stopped window only.
  recogniser.lend(MAX);
  await turn();
  assert.deepEqual(recogniser.names(), ['background']);
  recogniser.lend(LITE);
  assert.deepEqual(recogniser.names(), ['background', 'firm', 'background']);
  for (const { resolve } of recogniser.running) resolve(recognitionOf());
  await Promise.all([firm.result, background.result]);
});

test('a stopped window resumes when its slot is of no use to firm work, or when none waits any more', async (t) => {
  const { recogniser, submit } = setUp(t);
  recogniser.lend(LITE, 0);
  recogniser.lend(MAX);
  submit('background', { tier: MAX, urgency: 'background' });
  const firm = submit('firm');
  await turn();
  recogniser.lend(MAX);
  t.mock.timers.tick(FREEING_MS_MAX);
  assert.deepEqual(recogniser.names(), ['background', 'background']);
  await turn();
  recogniser.lend(MAX);
  firm.cancel();
  await assert.rejects(firm.result);
  recogniser.changed();
  assert.deepEqual(recogniser.names(), ['background', 'background', 'background']);
});

test('one firm window stops one background window, although its slot comes back later', async (t) => {
  const { recogniser, submit } = setUp(t);
  recogniser.lend(LITE, 4);
  for (let nth = 0; nth < 4; nth++) submit(`background-${nth}`, { urgency: 'background' });
  const firm = submit('firm', { urgency: 'final' });
  for (let nth = 0; nth < 4; nth++) {
    await turn();
    recogniser.changed();
  }
  assert.equal(recogniser.aborted, 1);
  recogniser.lend(LITE);
  assert.equal(recogniser.names().at(-1), 'firm');
  recogniser.running.at(-1)!.resolve(recognitionOf());
  await firm.result;
  // Each firm window gets its own slot, also when another one has just got one.
  submit('next', { urgency: 'final' });
  await turn();
  assert.equal(recogniser.aborted, 2);
});

test('another window is stopped when the slot of the first one does not come back', async (t) => {
  const { recogniser, submit } = setUp(t);
  recogniser.lend(LITE, 2);
  for (const name of ['one', 'other']) submit(name, { urgency: 'background' });
  submit('firm', { urgency: 'final' });
  await turn();
  assert.equal(recogniser.aborted, 1);
  t.mock.timers.tick(FREEING_MS_MAX);
  assert.equal(recogniser.aborted, 2);
});

test('a stopped window that is then cancelled makes room for one firm window, not for two', async (t) => {
  const { recogniser, submit } = setUp(t);
  recogniser.lend(LITE, 2);
  const [cancelled] = ['one', 'other'].map((name) => submit(name, { urgency: 'background' }));
  submit('firm');
  cancelled!.cancel();
  assert.equal(recogniser.aborted, 1);
  submit('next');
  assert.equal(recogniser.aborted, 2);
  await turn();
});

test('a cancelled window makes room for one firm window, not for one of each tier', async (t) => {
  const { recogniser, submit } = setUp(t);
  recogniser.lend(MAX, 0);
  recogniser.lend(LITE, 2);
  const cancelled = submit('cancelled');
  submit('background', { urgency: 'background' });
  cancelled.cancel();
  submit('firm');
  assert.equal(recogniser.aborted, 1);
  submit('of another tier', { tier: MAX });
  assert.equal(recogniser.aborted, 2);
  await turn();
});
