// Properties of the state machine that hold for every sequence of events.
import assert from 'node:assert/strict';
import test from 'node:test';
import { CLOSE_CODES } from '@faircopy/contract';
import fc from 'fast-check';
import { nextTickAtMs } from './connection-state.ts';
import { isOpen } from './connection-types.ts';
import {
  type Conditions,
  closeOf,
  effectsOf,
  only,
  play,
  recordOf,
  type ScriptedEvent,
  SECOND,
  settings,
  type Transition,
  typesOf,
} from './testing/play.ts';

const scriptedEvent: fc.Arbitrary<ScriptedEvent> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.integer({ min: 0, max: 40 * SECOND }).map((bytes) => ({ type: 'audio', bytes }) as const),
  },
  { weight: 3, arbitrary: fc.constant({ type: 'keep_alive' } as const) },
  { weight: 2, arbitrary: fc.constant({ type: 'close_stream' } as const) },
  fc.constantFrom({ type: 'queue_full' } as const, { type: 'queue_ready' } as const),
  { weight: 2, arbitrary: fc.constant({ type: 'transcribed', audioSeconds: 3.5 } as const) },
  { weight: 2, arbitrary: fc.constant({ type: 'recorded' } as const) },
  fc.constant({ type: 'record_failed', failure: { code: 'SERVICE_UNAVAILABLE', message: 'ledger' } } as const),
  fc.constant({ type: 'failed', failure: { code: 'INVALID_REQUEST', message: 'bad text' } } as const),
  { weight: 3, arbitrary: fc.constant({ type: 'heartbeat' } as const) },
  fc.constant({ type: 'disconnected' } as const),
  fc.constant({ type: 'drain' } as const),
  fc.constant({ type: 'tick' } as const),
);
const script = fc
  .array(fc.tuple(scriptedEvent, fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 70_000 }))), {
    maxLength: 40,
  })
  .map((pairs) => {
    let atMs = 0;
    return pairs.map(([what, gapMs]) => {
      atMs += gapMs;
      return { ...what, atMs };
    });
  });
const timing = fc
  .record({
    firstFrameTimeoutMs: fc.constantFrom(0, 10, 10_000),
    idleTimeoutMs: fc.constantFrom(0, 10, 60_000),
    finalizeTimeoutMs: fc.constantFrom(0, 10, 60_000),
    channels: fc.constantFrom(1, 2),
    sampleRateHz: fc.integer({ min: 8000, max: 48_000 }),
  })
  .map((changes) => ({ ...settings, ...changes }));
const holds = (check: (transitions: Transition[], under: Conditions) => void) =>
  fc.assert(
    fc.property(script, timing, (events, under) => check(play(events, under), under)),
    { numRuns: 2000 },
  );

test('always: at most one message, one close, one row, one slot released; nothing after the close', () => {
  holds((transitions) => {
    const types = typesOf(transitions);
    const count = (...wanted: string[]) => types.filter((type) => wanted.includes(type)).length;
    assert.ok(count('send_result', 'send_error') <= 1);
    assert.ok(count('close', 'drop') <= 1);
    assert.ok(count('record') <= 1);
    assert.ok(count('release_slot') <= 1);
    const closed = transitions.findIndex((transition) => transition.after.name === 'closed');
    if (closed < 0) {
      assert.equal(count('send_result', 'send_error', 'close', 'drop', 'release_slot'), 0);
      return;
    }
    assert.equal(count('release_slot'), 1);
    assert.equal(count('record'), 1);
    assert.deepEqual(typesOf(transitions.slice(closed + 1)), []);
    for (const transition of transitions.slice(closed)) assert.equal(nextTickAtMs(transition.after), null);
  });
});

test('always: a result only after close_stream and a success row; a message directly before its close', () => {
  holds((transitions) => {
    const effects = effectsOf(transitions);
    for (const [index, effect] of effects.entries()) {
      if (effect.type === 'send_result' || effect.type === 'send_error') {
        assert.equal(effects[index + 1]?.type, 'close');
      }
    }
    if (only(transitions, 'send_result').length === 0) return;
    assert.equal(recordOf(transitions)?.status, 'success');
    assert.ok(transitions.some((transition) => transition.event.type === 'close_stream'));
    assert.equal(closeOf(transitions)?.code, CLOSE_CODES.done);
  });
});

test('always: the bill follows from how the stream ended', () => {
  holds((transitions) => {
    const row = recordOf(transitions);
    if (!row) return;
    const last = transitions.find((transition) => transition.effects.includes(row));
    const sent = last && isOpen(last.before) ? last.before.audioSeconds : 0;
    const expected = row.status === 'success' || (row.status === 'CLIENT_DISCONNECTED' && sent > 0);
    assert.equal(row.isBilled, expected);
    if (row.status === 'CLIENT_DISCONNECTED') assert.equal(row.audioSeconds, sent);
  });
});

test('always: deadlines hold', () => {
  holds((transitions, under) => {
    const firstAudio = transitions.find((transition) => transition.event.type === 'audio')?.event.atMs;
    for (const { after, event } of transitions) {
      if (after.name === 'awaiting') assert.ok(event.atMs < under.firstFrameTimeoutMs);
      if (after.name === 'streaming' && after.reading === 'flowing') assert.ok(event.atMs < after.idleByMs);
      if (after.name === 'finalizing') assert.ok(event.atMs < after.finalizeByMs);
      const due = nextTickAtMs(after);
      if (due !== null) assert.ok(due > event.atMs, 'a tick is never due in the past');
    }
    if (firstAudio !== undefined && firstAudio >= under.firstFrameTimeoutMs) {
      assert.equal(only(transitions, 'transcribe_audio').length, 0);
    }
  });
});

test('always: pauses and resumes alternate, and a stream never closes while paused', () => {
  holds((transitions) => {
    let isPaused = false;
    for (const effect of effectsOf(transitions)) {
      if (effect.type === 'pause' || effect.type === 'resume') {
        assert.equal(isPaused, effect.type === 'resume');
        isPaused = effect.type === 'pause';
      }
      if (effect.type === 'close') assert.equal(isPaused, false);
    }
  });
});
