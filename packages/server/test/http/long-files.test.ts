// The length of a file is counted as it arrives, however far recognition is.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { file, form, hum, MODEL, wavOf } from './forms.ts';
import { failure, startService } from './service.ts';

test('a file that is too long is refused while recognition has finished nothing', async (t) => {
  const engine = new ScriptedEngine();
  engine.hold();
  const own = await startService(t, { engine });
  const response = await own.post(form(MODEL, file(wavOf(hum(610)))));
  assert.equal(response.status, 413);
  assert.equal((await failure(response)).error.code, 'AUDIO_TOO_LONG');
  assert.equal(engine.asked.filter(({ state }) => state === 'answered').length, 0);
  await engine.until(({ running, openProbes }) => running === 0 && openProbes === 0);
  const [row] = await own.rows();
  assert.equal(row!.billedSeconds, 0);
  assert.ok(row!.audioSeconds > 300, `${row!.audioSeconds} s on record`);
});
