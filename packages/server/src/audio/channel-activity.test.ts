import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ActivityLog, BLOCKS_MAX, ChannelActivity, HEARD } from './channel-activity.ts';

test('each block is classified by loudness and correlation, and returned once', () => {
  const activity = new ChannelActivity();
  activity.add(1, 0.1, 0.01);
  activity.add(0.1, 1, 0.01);
  activity.add(1, 0.9, 0.05);
  activity.add(1, 1, -0.99);
  activity.add(1e-6, 1e-6, 0);
  assert.deepEqual([...activity.take()], [HEARD.first, HEARD.second, HEARD.both, HEARD.same, HEARD.neither]);
  assert.equal(activity.take().length, 0);
  for (let block = 0; block < 3_000; block++) activity.add(1, 0, 0);
  assert.equal(activity.take().length, 3_000);
});

test('in digital silence, neither channel is heard', () => {
  const activity = new ChannelActivity();
  activity.add(0, 0, 0);
  assert.deepEqual([...activity.take()], [HEARD.neither]);
});

test('a log keeps a limited number of blocks, and returns no memory beyond them', () => {
  const log = new ActivityLog();
  log.append(new Uint8Array([HEARD.first]));
  assert.equal(log.take().buffer.byteLength, 1);
  const minutes = new Uint8Array(3_000).fill(HEARD.second);
  for (let blocks = 0; blocks < BLOCKS_MAX + 10_000; blocks += minutes.length) log.append(minutes);
  const taken = log.take();
  assert.equal(taken.length, BLOCKS_MAX);
  assert.ok(taken.every((heard) => heard === HEARD.second));
});
