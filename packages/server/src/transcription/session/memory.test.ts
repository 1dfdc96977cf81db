import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ScriptedEngine } from '../../speech/testing/scripted-engine.ts';
import { joined, quiet, spoken, story } from '../../speech/testing/tones.ts';
import { setUpRecordings } from './testing/recordings.ts';
import { writeAll } from './testing/scripted-session.ts';

/** Exposes the garbage collector: memory that survives a full collection is still referenced. */
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The lowest of several readings, because buffers are freed on another thread some time after the collection. */
const heldAfterCollection = async (engine: ScriptedEngine): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < 10; reading++) {
    engine.asked.length = 0;
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 10));
    least = Math.min(least, process.memoryUsage().arrayBuffers);
  }
  return least;
};

test('memory stays bounded over a stream of four hours', async () => {
  const { engine, open } = setUpRecordings({ answer: (_, recognition) => ({ ...recognition, text: 'word' }) });
  const session = open({ mode: 'stream' });
  const minute = joined(spoken(story(20)), quiet(20), spoken(story(50)), quiet(14.8));
  const heldBytes: number[] = [];
  for (let count = 0; count < 240; count++) {
    await writeAll(session, minute, 160_000);
    // The scripted engine remembers its jobs for the test; a real one does not.
    engine.asked.length = 0;
    if (count % 40 === 39) heldBytes.push(await heldAfterCollection(engine));
  }
  await session.finish();
  const growth = Math.max(...heldBytes) - heldBytes[0]!;
  assert.ok(growth < 20e6, `held ${heldBytes.map((bytes) => Math.round(bytes / 1e6))} MB`);
});
