import assert from 'node:assert/strict';
import test from 'node:test';
import type { UploadDecoder } from '../audio/decode.ts';
import { Fault } from '../platform/fault.ts';
import type { Session } from '../transcription/transcriber.ts';
import { AudioFeed } from './feed.ts';

const SECOND = 16_000;

/** Every byte written is one second of sound; takes the next byte when the last second was read. */
class ByteDecoder implements UploadDecoder {
  readonly #failAt: number;
  #queue: number[] = [];
  #state: 'open' | 'ended' | 'aborted' = 'open';
  #wake: () => void = () => {};
  durationSeconds = 0;

  constructor(failAt = Number.POSITIVE_INFINITY) {
    this.#failAt = failAt;
  }
  get state() {
    return this.#state;
  }
  async write(bytes: Uint8Array): Promise<void> {
    this.#queue.push(...bytes);
    this.#wake();
  }
  end(): void {
    if (this.#state === 'open') this.#state = 'ended';
    this.#wake();
  }
  abort(): void {
    this.#state = 'aborted';
    this.#wake();
  }
  async *[Symbol.asyncIterator](): AsyncIterator<Float32Array> {
    while (this.#state !== 'aborted') {
      if (this.durationSeconds >= this.#failAt) throw new Fault('AUDIO_TOO_LONG');
      const value = this.#queue.shift();
      if (value !== undefined) {
        this.durationSeconds += 1;
        yield new Float32Array(SECOND).fill(value);
      } else if (this.#state === 'ended') return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

/** A session that keeps the first sample of every second it is given. */
const listener = (write: () => Promise<void> = async () => {}) => {
  const heard: number[] = [];
  const session: Session = {
    write: (samples) => {
      heard.push(samples[0]!);
      return write();
    },
    finish: () => Promise.reject(new Error('not asked')),
    cancel: () => {},
    started: false,
  };
  return { heard, session };
};

const feedOf = (decoder: UploadDecoder, onFailure = () => {}) =>
  new AudioFeed(decoder, { stuckAfterMs: 10_000, onFailure });
const bytes = (from: number, count: number) => Uint8Array.from({ length: count }, (_, index) => (from + index) % 100);

test('samples that came before the session are given to it first, in order', async () => {
  const feed = feedOf(new ByteDecoder());
  feed.write(bytes(0, 3));
  await new Promise(setImmediate);
  const { heard, session } = listener();
  feed.open(session);
  feed.write(bytes(3, 2));
  await feed.finish();
  assert.deepEqual(heard, [0, 1, 2, 3, 4]);
  assert.equal(feed.durationSeconds, 5);
});

test('a session opened in the place of another is given everything from the start', async () => {
  const feed = feedOf(new ByteDecoder());
  const [first, second] = [listener(), listener()];
  feed.open(first.session);
  feed.write(bytes(0, 3));
  await new Promise(setImmediate);
  assert.equal(feed.replayable, true);
  feed.open(second.session);
  feed.write(bytes(3, 1));
  await feed.finish();
  assert.deepEqual(second.heard, [0, 1, 2, 3]);
});

test('without a session no more than 300 seconds are held decoded, and nobody is held back', async () => {
  const decoder = new ByteDecoder();
  const feed = feedOf(decoder);
  assert.equal(feed.write(bytes(0, 1000)), undefined);
  await new Promise(setImmediate);
  assert.ok(decoder.durationSeconds <= 302, `${decoder.durationSeconds} s`);
  const { heard, session } = listener();
  feed.open(session);
  await feed.finish();
  assert.equal(heard.length, 1000);
  assert.equal(feed.replayable, false);
});

test('a fault of the audio is told at once and reported at the end; later bytes are ignored', async () => {
  let told = false;
  const feed = feedOf(new ByteDecoder(2), () => {
    told = true;
  });
  feed.open(listener().session);
  feed.write(bytes(0, 5));
  await new Promise(setImmediate);
  assert.equal(told, true);
  assert.equal(feed.write(new Uint8Array(8 * 1024 * 1024)), undefined);
  await assert.rejects(feed.finish(), { code: 'AUDIO_TOO_LONG' });
});

test('a session that takes nothing is taken for stuck', async () => {
  const feed = new AudioFeed(new ByteDecoder(), { stuckAfterMs: 5, onFailure: () => {} });
  feed.open(listener(() => new Promise(() => {})).session);
  feed.write(bytes(0, 5));
  await new Promise(setImmediate);
  await assert.rejects(feed.finish(), { code: 'SERVICE_UNAVAILABLE' });
});

test('an abort frees the decoder and settles what waits', async () => {
  const decoder = new ByteDecoder();
  const feed = feedOf(decoder);
  feed.write(bytes(0, 400));
  const finished = feed.finish();
  feed.abort();
  await finished;
  assert.equal(decoder.state, 'aborted');
});
