// Answers a request whose body is still arriving: the answer first, then a bounded drain, then the end.
// Closing at once would reset the connection, and the caller would see a broken pipe instead of the answer.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

export const LINGER = { bytesMax: 16 * 1024 * 1024, msMax: 2_000 } as const;

/** Resolves when the body has ended, the caller has gone, or enough has been read for nothing. */
export const drain = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let bytes = 0;
    const done = () => {
      clearTimeout(timer);
      request.off('data', onData).off('end', done).off('close', done).off('error', done);
      request.on('error', () => {});
      request.pause();
      resolve();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LINGER.bytesMax) done();
    };
    const timer = setTimeout(done, LINGER.msMax);
    request.on('data', onData).on('end', done).on('close', done).on('error', done);
    request.resume();
  });

/** The payload as a stream that stays open until the rest of the request has been drained. */
export const lingering = (payload: string | Buffer, request: IncomingMessage): Readable =>
  Readable.from(
    (async function* () {
      yield Buffer.from(payload as string);
      await drain(request);
    })(),
    { objectMode: false },
  );
