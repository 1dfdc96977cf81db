import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChannelActivity, HEARD } from './channel-activity.ts';

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
