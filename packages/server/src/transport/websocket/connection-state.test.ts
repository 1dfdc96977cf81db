import assert from 'node:assert/strict';
import test from 'node:test';
import { CLOSE_CODES } from '@faircopy/contract';
import { MISSED_PINGS_MAX } from './connection-types.ts';
import {
  AUDIO,
  type Conditions,
  closeOf,
  only,
  play,
  recordOf,
  type Scripted,
  SECOND,
  settings,
  typesOf,
} from './testing/play.ts';

test('a complete stream: audio, close_stream, the usage row, then the result and the close', () => {
  const transitions = play([
    { type: 'audio', bytes: 20 * SECOND, atMs: 100 },
    { type: 'close_stream', atMs: 200 },
    { type: 'transcribed', audioSeconds: 20, atMs: 300 },
    { type: 'recorded', atMs: 310 },
  ]);
  assert.deepEqual(typesOf(transitions), [
    'transcribe_audio',
    'finish',
    'record',
    'send_result',
    'close',
    'release_slot',
  ]);
  assert.deepEqual(recordOf(transitions), { type: 'record', status: 'success', audioSeconds: 20, isBilled: true });
  assert.equal(closeOf(transitions)?.code, CLOSE_CODES.done);
});

test('close_stream before audio answers at once with an empty result', () => {
  const transitions = play([
    { type: 'close_stream', atMs: 5 },
    { type: 'recorded', atMs: 6 },
  ]);
  assert.deepEqual(typesOf(transitions), ['cancel', 'record', 'send_result', 'close', 'release_slot']);
  assert.deepEqual(recordOf(transitions), { type: 'record', status: 'success', audioSeconds: 0, isBilled: true });
});

test('keep_alive does not extend the first-frame deadline', () => {
  const keepAlives = Array.from({ length: 12 }, (_, index) => ({ type: 'keep_alive', atMs: index * 1000 }) as const);
  const transitions = play(keepAlives);
  const closing = transitions.find((transition) => transition.after.name === 'closed');
  assert.equal(closing?.event.atMs, 10_000);
  assert.equal(closeOf(transitions)?.code, CLOSE_CODES.policy);
  assert.deepEqual(recordOf(transitions), {
    type: 'record',
    status: 'REQUEST_TIMEOUT',
    audioSeconds: 0,
    isBilled: false,
  });
});

test('audio and keep_alive both reset the idle time-out, and 60 s without either close the stream', () => {
  const pongs = [20_000, 40_000, 60_000, 80_000, 100_000, 120_000, 140_000].map(
    (atMs) => ({ type: 'heartbeat', atMs: atMs + 1 }) as const,
  );
  const speech = [
    { type: 'audio', bytes: 2, atMs: 1000 },
    { type: 'keep_alive', atMs: 50_000 },
    { type: 'audio', bytes: 2, atMs: 90_000 },
    { type: 'tick', atMs: 160_000 },
  ] as const;
  const transitions = play([...pongs, ...speech].sort((a, b) => a.atMs - b.atMs));
  assert.equal(transitions.find((transition) => transition.after.name === 'closed')?.event.atMs, 150_000);
  assert.match(closeOf(transitions)?.reason ?? '', /idle/);
});

test('a time-out of zero expires at once', () => {
  const first = play([{ type: 'tick', atMs: 0 }], { ...settings, firstFrameTimeoutMs: 0 });
  assert.equal(closeOf(first)?.code, CLOSE_CODES.policy);
  const finalize = play(
    [
      { type: 'audio', bytes: SECOND, atMs: 1 },
      { type: 'close_stream', atMs: 2 },
      { type: 'transcribed', audioSeconds: 1, atMs: 2 },
    ],
    { ...settings, finalizeTimeoutMs: 0 },
  );
  assert.equal(only(finalize, 'send_error')[0]?.code, 'SERVICE_UNAVAILABLE');
  assert.equal(recordOf(finalize)?.isBilled, false);
});

test('finalisation that takes too long ends in an error, is not billed and is cancelled', () => {
  const transitions = play([
    { type: 'audio', bytes: SECOND, atMs: 1 },
    { type: 'close_stream', atMs: 2 },
    { type: 'heartbeat', atMs: 30_000 },
    { type: 'transcribed', audioSeconds: 1, atMs: 70_000 },
  ]);
  assert.deepEqual(typesOf(transitions).slice(-5), ['cancel', 'record', 'send_error', 'close', 'release_slot']);
  assert.equal(recordOf(transitions)?.isBilled, false);
});

test('a client that disconnects is billed for the audio it sent, and for nothing without audio', () => {
  for (const closing of [[], [{ type: 'close_stream', atMs: 8 } as const]]) {
    const transitions = play([
      { type: 'audio', bytes: 16.5 * SECOND, atMs: 1 },
      ...closing,
      { type: 'disconnected', atMs: 9 },
    ]);
    assert.equal(recordOf(transitions)?.status, 'CLIENT_DISCONNECTED');
    assert.equal(recordOf(transitions)?.isBilled, true);
    assert.equal(recordOf(transitions)?.audioSeconds, 16.5);
    assert.equal(only(transitions, 'send_error').length, 0);
  }
  assert.equal(recordOf(play([{ type: 'disconnected', atMs: 9 }]))?.isBilled, false);
  const spareByte = play([
    { type: 'audio', bytes: 1, atMs: 1 },
    { type: 'disconnected', atMs: 9 },
  ]);
  assert.equal(recordOf(spareByte)?.isBilled, false);
});

test('two missed pings end a stream; any message from the peer keeps it open', () => {
  const dead = play([
    { type: 'audio', bytes: 2, atMs: 1 },
    { type: 'tick', atMs: 59_000 },
    { type: 'tick', atMs: 60_000 },
  ]);
  assert.equal(only(dead, 'ping').length, MISSED_PINGS_MAX);
  assert.equal(only(dead, 'drop').length, 1);
  assert.equal(recordOf(dead)?.status, 'CLIENT_DISCONNECTED');
  const alive = play([
    { type: 'audio', bytes: 2, atMs: 1 },
    { type: 'keep_alive', atMs: 50_000 },
    { type: 'heartbeat', atMs: 89_000 },
  ]);
  assert.equal(only(alive, 'drop').length, 0);
});

test('while reading is paused, neither the idle time-out nor missed pings count', () => {
  const transitions = play([
    { type: 'audio', bytes: 2, atMs: 1 },
    { type: 'queue_full', atMs: 2 },
    ...[100_000, 200_000, 300_000, 400_000].map((atMs) => ({ type: 'tick', atMs }) as const),
    { type: 'queue_ready', atMs: 500_000 },
    { type: 'close_stream', atMs: 500_001 },
  ]);
  assert.equal(transitions.at(-1)?.after.name, 'finalizing');
  // A client that waits for its result needs a sign of life.
  assert.equal(only(transitions, 'ping').length > MISSED_PINGS_MAX, true);
  assert.deepEqual(
    typesOf(transitions).filter((type) => type !== 'ping'),
    ['transcribe_audio', 'pause', 'resume', 'finish'],
  );
});

test('the longest stream is accepted, and one sample more is not', () => {
  const full = play([{ type: 'audio', bytes: 600 * SECOND, atMs: 1 }]);
  assert.deepEqual(typesOf(full), ['transcribe_audio']);
  const over = play([
    { type: 'audio', bytes: 600 * SECOND, atMs: 1 },
    { type: 'audio', bytes: 2, atMs: 2 },
  ]);
  assert.equal(only(over, 'send_error')[0]?.code, 'AUDIO_TOO_LONG');
});

test('at shutdown a stream may finish in time; one that does not gets an error and 1012', () => {
  const finished = play([
    { type: 'audio', bytes: SECOND, atMs: 1 },
    { type: 'drain', atMs: 2 },
    { type: 'close_stream', atMs: 3 },
    { type: 'transcribed', audioSeconds: 1, atMs: 4 },
    { type: 'recorded', atMs: 5 },
  ]);
  assert.equal(closeOf(finished)?.code, CLOSE_CODES.done);
  const cut = play([
    { type: 'audio', bytes: SECOND, atMs: 1 },
    { type: 'drain', atMs: 2 },
    { type: 'keep_alive', atMs: 30_000 },
    { type: 'keep_alive', atMs: 70_000 },
  ]);
  assert.equal(only(cut, 'send_error')[0]?.code, 'SERVICE_UNAVAILABLE');
  assert.equal(closeOf(cut)?.code, CLOSE_CODES.restart);
  assert.equal(recordOf(cut)?.isBilled, false);
  assert.equal(closeOf(play([{ type: 'drain', atMs: 2 }]))?.code, CLOSE_CODES.restart);
});

test('a usage row that cannot be written turns the result into an error', () => {
  const transitions = play([
    { type: 'audio', bytes: SECOND, atMs: 1 },
    { type: 'close_stream', atMs: 2 },
    { type: 'transcribed', audioSeconds: 1, atMs: 3 },
    { type: 'record_failed', failure: { code: 'SERVICE_UNAVAILABLE', message: 'no' }, atMs: 4 },
  ]);
  assert.deepEqual(typesOf(transitions).slice(-3), ['send_error', 'close', 'release_slot']);
});

test('accepted audio is passed on unchanged, and audio after close_stream is ignored', () => {
  const transitions = play([
    { type: 'audio', bytes: 7, atMs: 1 },
    { type: 'close_stream', atMs: 2 },
    { type: 'audio', bytes: SECOND, atMs: 3 },
    { type: 'disconnected', atMs: 4 },
  ]);
  // Three samples and a spare byte are less than a second, but more than nothing.
  assert.deepEqual(only(transitions, 'transcribe_audio'), [{ type: 'transcribe_audio', audio: AUDIO.subarray(0, 7) }]);
  assert.equal(recordOf(transitions)?.audioSeconds, 3 / 16_000);
});

const live: Conditions = { ...settings, isLive: true, sendsTextEarly: true, maxStreamSeconds: 10 };

test('a live stream that is idle or too long is finished with a reason, not failed', () => {
  const speech: Scripted = { type: 'audio', bytes: 9 * SECOND, atMs: 1 };
  const idle = play([speech, { type: 'heartbeat', atMs: 59_000 }, { type: 'tick', atMs: 61_000 }], live);
  assert.match(only(idle, 'finish')[0]?.reason ?? '', /^idle/);
  const tooLong = play([speech, { type: 'audio', bytes: 2 * SECOND, atMs: 2 }], live);
  assert.match(only(tooLong, 'finish')[0]?.reason ?? '', /10 seconds/);
  for (const transitions of [idle, tooLong]) assert.equal(only(transitions, 'send_error').length, 0);
});

test('keep_alive extends the first-frame deadline of a live stream', () => {
  const keepAlives = Array.from({ length: 6 }, (_, index): Scripted => ({ type: 'keep_alive', atMs: index * 9_000 }));
  assert.equal(play(keepAlives, live).at(-1)?.after.name, 'awaiting');
});

test('a live stream is billed when the client causes the error, and not when the server does', () => {
  const endedBy = (code: 'INVALID_REQUEST' | 'INTERNAL_ERROR') =>
    play(
      [
        { type: 'audio', bytes: 9 * SECOND, atMs: 1 },
        { type: 'failed', failure: { code, message: '' }, atMs: 2 },
      ],
      live,
    );
  assert.equal(recordOf(endedBy('INVALID_REQUEST'))?.isBilled, true);
  assert.equal(recordOf(endedBy('INTERNAL_ERROR'))?.isBilled, false);
});

test('a stream that sent text before it timed out is billed, one without text is not', () => {
  const idleIn = (conditions: Conditions) =>
    recordOf(
      play(
        [
          { type: 'audio', bytes: 9 * SECOND, atMs: 1 },
          { type: 'heartbeat', atMs: 59_000 },
          { type: 'tick', atMs: 61_000 },
        ],
        conditions,
      ),
    );
  assert.deepEqual(
    [idleIn({ ...settings, sendsTextEarly: true }), idleIn(settings)].map((row) => [row?.status, row?.isBilled]),
    [
      ['REQUEST_TIMEOUT', true],
      ['REQUEST_TIMEOUT', false],
    ],
  );
});

test('disconnecting when everything is answered is a success', () => {
  const transitions = play(
    [
      { type: 'audio', bytes: 9 * SECOND, atMs: 1 },
      { type: 'disconnected', isAnswered: true, atMs: 2 },
    ],
    live,
  );
  assert.equal(recordOf(transitions)?.status, 'success');
  assert.equal(recordOf(transitions)?.isBilled, true);
});
