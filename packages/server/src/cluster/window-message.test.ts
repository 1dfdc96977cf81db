import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { windowOf } from '../speech/testing/recogniser-fixtures.ts';
import { newId, RefusedMessage } from './messages.ts';
import { readWorkerMessage, WINDOW_BYTES_MAX, writeWindow } from './window-message.ts';

const head = () => ({ version: '1.0.0', gateway: newId(), credit: newId(), id: newId(), want: { 'svc-1.0-pro': 3 } });

test('a window is read as it was written, with 16-bit samples', () => {
  const samples = Float32Array.of(0, 0.5, -0.5, 1, -1, 1.5, -1.5, 1 / 32_768);
  const sent = head();
  const window = windowOf({
    samples,
    languageHint: 'zh-Hant',
    languages: ['zh', 'en'],
    task: 'translate',
    recentLanguages: [{ language: 'de', probability: 1 }],
    committedText: 'what was',
    draft: 'said',
    isInterim: true,
    isCaptioned: true,
  });
  const message = readWorkerMessage(writeWindow(sent, window));
  assert.ok('head' in message);
  assert.deepEqual(message.head, sent);
  assert.deepEqual({ ...message.window, samples }, window);
  const most = 32_767 / 32_768;
  assert.deepEqual([...message.window.samples], [0, 0.5, -0.5, most, -1, most, -1, 1 / 32_768]);
});

test('the longest window with the longest texts fits into one megabyte', () => {
  const vocabulary = Array.from({ length: 500 }, (_, nth) => ({
    text: `${'ü'.repeat(20)}${nth}`,
    soundsLike: ['ü'.repeat(8)],
    weight: 1.5,
  }));
  const bytes = writeWindow(head(), windowOf({ samples: new Float32Array(480_000), vocabulary }));
  assert.ok(bytes.length <= WINDOW_BYTES_MAX);
  assert.ok(WINDOW_BYTES_MAX <= 1_048_576);
});

test('any bytes are either read or refused', () => {
  const good = writeWindow(head(), windowOf({ samples: new Float32Array(100) }));
  const damaged = fc.tuple(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length)).map(([at, value, length]) => {
    const bytes = Uint8Array.from(good);
    bytes[at] = value;
    return bytes.subarray(0, length);
  });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged), (bytes) => {
      try {
        readWorkerMessage(bytes);
      } catch (thrown) {
        assert.ok(thrown instanceof RefusedMessage);
      }
    }),
  );
});
