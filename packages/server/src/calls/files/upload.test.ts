import assert from 'node:assert/strict';
import test from 'node:test';
import type { UploadDecoder } from '../../audio/upload-decoding.ts';
import { Fault } from '../../lib/fault.ts';
import type { Session } from '../../transcription/transcriber.ts';
import { AudioPump, type AudioPumpParts } from '../audio-pump.ts';
import { EncodedFile } from './encoded-file.ts';
import { UploadMemory } from './upload-memory.ts';

const SECOND = 16_000;

/** Decodes every byte into one second of sound; takes the next byte once the last second was read. */
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
    flush: async () => {},
    finish: async () => {},
    emitStableText: () => {},
    setRefinement: () => {},
    setVocabulary: () => {},
    cancel: () => {},
  };
  return { received, session };
};

const bytes = (from: number, count: number) => Uint8Array.from({ length: count }, (_, index) => (from + index) % 100);

const fileOf = (accountBytesMax = 1024) => {
  const memory = new UploadMemory({ processBytesMax: 10 * accountBytesMax, accountBytesMax });
  return { memory, file: new EncodedFile(memory, 'a') };
};
const pumpOf = (file: EncodedFile, parts: Partial<AudioPumpParts> = {}) => {
  const { received, session } = recordingSession();
  return {
    received,
    pump: new AudioPump({
      source: file.read(),
      decoder: new ByteDecoder(),
      session,
      stuckAfterMs: () => 10_000,
      ...parts,
    }),
  };
};
const finish = async (file: EncodedFile, pump: AudioPump): Promise<void> => {
  file.complete();
  await pump.finish();
};

test('bytes written before there is a reader are kept and read in order', async () => {
  const { file } = fileOf();
  assert.equal(file.write(bytes(0, 3)), undefined);
  const { received, pump } = pumpOf(file);
  file.write(bytes(3, 2));
  await finish(file, pump);
  assert.deepEqual(received, [0, 1, 2, 3, 4]);
  assert.equal(pump.audioSeconds, 5);
});

test('a reading that replaces another gets every byte from the start', async () => {
  const { file } = fileOf();
  const first = pumpOf(file);
  file.write(bytes(0, 3));
  await new Promise(setImmediate);
  assert.equal(file.isReplayable, true);
  first.pump.cancel();
  const second = pumpOf(file);
  file.write(bytes(3, 1));
  await finish(file, second.pump);
  assert.deepEqual(second.received, [0, 1, 2, 3]);
});

test('a complete file is read once for each channel', async () => {
  const { memory, file } = fileOf();
  file.write(bytes(0, 3));
  file.complete();
  for (let channel = 0; channel < 2; channel++) {
    const { received, pump } = pumpOf(file);
    await pump.finish();
    assert.deepEqual(received, [0, 1, 2]);
  }
  file.release();
  assert.equal(memory.total, 0);
});

test('a file that may need its index keeps its bytes counted, however small its first chunk', async () => {
  const { memory, file } = fileOf(16);
  const start = Buffer.from('\0\0\0\x10ftypM4A ', 'latin1');
  file.write(start.subarray(0, 1));
  pumpOf(file);
  file.write(start.subarray(1));
  await new Promise(setImmediate);
  assert.throws(() => file.write(bytes(0, 8)), { code: 'CONCURRENT_LIMIT_EXCEEDED' });
  assert.equal(memory.total, start.length);
});

test('held bytes are counted; at the limit, bytes that were read are freed first', async () => {
  const { memory, file } = fileOf(4);
  file.write(bytes(0, 4));
  assert.throws(() => file.write(bytes(4, 1)), { code: 'CONCURRENT_LIMIT_EXCEEDED' });
  const { received, pump } = pumpOf(file);
  await new Promise(setImmediate);
  file.write(bytes(4, 1));
  assert.equal(file.isReplayable, false);
  assert.equal(memory.total, 1);
  await finish(file, pump);
  assert.deepEqual(received, [0, 1, 2, 3, 4]);
  assert.equal(memory.total, 0, 'a whole upload leaves nothing counted');
  file.release();
  assert.equal(memory.total, 0);
});

test('bytes that were read still count when the decoder may hold the whole file', async () => {
  const { memory, file } = fileOf(8);
  const { pump } = pumpOf(file);
  file.write(Uint8Array.from([0, 0, 0, 8, ...Buffer.from('mdat')]));
  await new Promise(setImmediate);
  assert.throws(() => file.write(bytes(0, 1)), { code: 'CONCURRENT_LIMIT_EXCEEDED' });
  assert.equal(memory.total, 8);
  await finish(file, pump);
  file.release();
  assert.equal(memory.total, 0);
});

test('a writer waits while a slow reader has much to read, and stops waiting when the reading ends', async () => {
  const { file } = fileOf(2 * 1024 * 1024);
  let ask = (): void => undefined;
  const decoder = new ByteDecoder();
  decoder.write = () =>
    new Promise((resolve) => {
      ask = resolve;
    });
  pumpOf(file, { decoder });
  assert.equal(file.write(new Uint8Array(1024 * 1024)), undefined);
  const waiting = file.write(new Uint8Array(1));
  assert.ok(waiting);
  await new Promise(setImmediate);
  ask();
  await waiting;
  const again = file.write(new Uint8Array(1.5 * 1024 * 1024));
  assert.ok(again);
  file.endReading();
  await again;
});

test('bytes that arrive after a reading was ended are kept for the next one', async () => {
  const { file } = fileOf();
  const first = pumpOf(file);
  file.write(bytes(0, 2));
  first.pump.cancel();
  file.endReading();
  assert.equal(file.write(bytes(2, 2)), undefined);
  const second = pumpOf(file);
  await finish(file, second.pump);
  assert.deepEqual(second.received, [0, 1, 2, 3]);
});

test('a fault in the audio ends the delivery at once', async () => {
  const { file } = fileOf();
  const { pump } = pumpOf(file, { decoder: new ByteDecoder(2) });
  file.write(bytes(0, 5));
  await assert.rejects(pump.delivered, { code: 'AUDIO_TOO_LONG' });
});

test('a source that fails ends the delivery at once', async () => {
  const source = (async function* () {
    yield bytes(0, 1);
    throw new Error('the disk is gone');
  })();
  const { session } = recordingSession();
  const pump = new AudioPump({ source, decoder: new ByteDecoder(), session });
  await assert.rejects(pump.finish(), /the disk is gone/);
  pump.cancel();
});

test('a session that takes nothing counts as stuck', async () => {
  const { file } = fileOf();
  const { session } = recordingSession(() => new Promise(() => {}));
  const { pump } = pumpOf(file, { session, stuckAfterMs: () => 5 });
  file.write(bytes(0, 5));
  await assert.rejects(pump.delivered, { code: 'SERVICE_UNAVAILABLE' });
});

test('once the caller waits, samples no longer wait for the session', async () => {
  const { file } = fileOf();
  const { received, session } = recordingSession(() => new Promise(() => {}));
  const { pump } = pumpOf(file, { session, isAwaited: () => file.isComplete });
  file.write(bytes(0, 5));
  file.complete();
  await pump.delivered;
  assert.deepEqual(received, [0, 1, 2, 3, 4]);
});

test('a cancelled pump frees the decoder and settles pending promises', async () => {
  const { file } = fileOf();
  const decoder = new ByteDecoder();
  const { pump } = pumpOf(file, { decoder });
  file.write(bytes(0, 400));
  const finished = finish(file, pump);
  pump.cancel();
  file.release();
  await finished;
  assert.equal(decoder.state, 'aborted');
});
