import assert from 'node:assert/strict';
import test from 'node:test';
import type { UploadDecoder } from '../audio/upload-decoding.ts';
import { Fault } from '../lib/fault.ts';
import type { Session } from '../transcription/transcriber.ts';
import { UploadPipe, type UploadPipeOptions } from './upload-pipe.ts';

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
const recordingSession = (write: () => Promise<void> = async () => {}) => {
  const received: number[] = [];
  const session: Session = {
    write: (samples) => {
      received.push(samples[0]!);
      return write();
    },
    finish: () => Promise.reject(new Error('not asked')),
    onSettledText: () => {},
    cancel: () => {},
    started: false,
  };
  return { received, session };
};

const pipeOf = (openDecoder: () => UploadDecoder, options: Partial<UploadPipeOptions> = {}) =>
  new UploadPipe({
    openDecoder,
    stuckAfterMs: 10_000,
    onFailure: () => {},
    onHeld: () => {},
    onFreed: () => {},
    ...options,
  });
const bytes = (from: number, count: number) => Uint8Array.from({ length: count }, (_, index) => (from + index) % 100);

test('bytes that came before the session wait encoded, and are given to it in order', async () => {
  let opened = 0;
  const pipe = pipeOf(() => {
    opened += 1;
    return new ByteDecoder();
  });
  assert.equal(pipe.write(bytes(0, 3)), undefined);
  await new Promise(setImmediate);
  assert.equal(opened, 0, 'nothing is decoded before the session is known');
  const { received, session } = recordingSession();
  pipe.open(session);
  pipe.write(bytes(3, 2));
  await pipe.finish();
  assert.deepEqual(received, [0, 1, 2, 3, 4]);
  assert.equal(pipe.durationSeconds, 5);
});

test('a session opened in the place of another is given everything from the start', async () => {
  const pipe = pipeOf(() => new ByteDecoder());
  const [first, second] = [recordingSession(), recordingSession()];
  pipe.open(first.session);
  pipe.write(bytes(0, 3));
  await new Promise(setImmediate);
  assert.equal(pipe.replayable, true);
  pipe.open(second.session);
  pipe.write(bytes(3, 1));
  await pipe.finish();
  assert.deepEqual(second.received, [0, 1, 2, 3]);
});

test('held bytes are counted; when they are too many, decoded ones are given up first', async () => {
  const held = { bytes: 0 };
  const pipe = pipeOf(() => new ByteDecoder(), {
    onHeld: (count) => {
      if (held.bytes + count > 4) throw new Fault('SERVICE_UNAVAILABLE');
      held.bytes += count;
    },
    onFreed: (count) => {
      held.bytes -= count;
    },
  });
  const { received, session } = recordingSession();
  pipe.write(bytes(0, 4));
  assert.throws(() => pipe.write(bytes(4, 1)), { code: 'SERVICE_UNAVAILABLE' });
  pipe.open(session);
  await new Promise(setImmediate);
  pipe.write(bytes(4, 1));
  assert.equal(pipe.replayable, false);
  assert.equal(held.bytes, 1);
  await pipe.finish();
  assert.deepEqual(received, [0, 1, 2, 3, 4]);
  assert.equal(held.bytes, 0, 'a whole upload leaves nothing counted');
  pipe.abort();
  assert.equal(held.bytes, 0);
});

test('bytes of a file that a decoder may hold whole are not given up for more of it', async () => {
  let heldBytes = 0;
  const pipe = pipeOf(() => new ByteDecoder(), {
    onHeld: (count) => {
      if (heldBytes + count > 8) throw new Fault('SERVICE_UNAVAILABLE');
      heldBytes += count;
    },
    onFreed: (count) => {
      heldBytes -= count;
    },
  });
  pipe.open(recordingSession().session);
  pipe.write(Uint8Array.from([0, 0, 0, 8, ...Buffer.from('mdat')]));
  await new Promise(setImmediate);
  assert.throws(() => pipe.write(bytes(0, 1)), { code: 'SERVICE_UNAVAILABLE' });
  assert.equal(heldBytes, 8);
  await pipe.finish();
  assert.equal(heldBytes, 0);
});

test('a fault of the audio is told at once and reported at the end; later bytes are ignored', async () => {
  let told = false;
  const pipe = pipeOf(() => new ByteDecoder(2), {
    onFailure: () => {
      told = true;
    },
  });
  pipe.open(recordingSession().session);
  pipe.write(bytes(0, 5));
  await new Promise(setImmediate);
  assert.equal(told, true);
  assert.equal(pipe.write(new Uint8Array(8 * 1024 * 1024)), undefined);
  await assert.rejects(pipe.finish(), { code: 'AUDIO_TOO_LONG' });
});

test('a session that takes nothing is taken for stuck', async () => {
  const pipe = pipeOf(() => new ByteDecoder(), { stuckAfterMs: 5 });
  pipe.open(recordingSession(() => new Promise(() => {})).session);
  pipe.write(bytes(0, 5));
  await new Promise(setImmediate);
  await assert.rejects(pipe.finish(), { code: 'SERVICE_UNAVAILABLE' });
});

test('an abort frees the decoder and settles what waits', async () => {
  const decoder = new ByteDecoder();
  const pipe = pipeOf(() => decoder);
  pipe.open(recordingSession().session);
  pipe.write(bytes(0, 400));
  const finished = pipe.finish();
  pipe.abort();
  await finished;
  assert.equal(decoder.state, 'aborted');
});
