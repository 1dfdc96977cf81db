// Receives a request's body in chunks, with back-pressure and a time limit.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ClientLeft } from '../../../calls/client-left.ts';
import { Fault } from '../../../lib/fault.ts';
import { SmallChunks } from './small-chunks.ts';

export interface ReceiveOptions {
  /** How long the client may take. Time during which `take` applies back-pressure does not count. */
  readonly timeoutMs: number;
  /** Ends receiving; the promise rejects with its reason. */
  readonly signal: AbortSignal;
}

/** A body that a handler will receive or is receiving. Errors of the HTTP parser are reported to it. */
export interface ExpectedBody {
  readonly requestId: string;
  fail(reason: Fault | ClientLeft): void;
}
const expected = new WeakMap<Socket, ExpectedBody & { failed?: Fault | ClientLeft }>();

/** Announces that the body of the connection's current request will be received. Earlier errors are kept until then. */
export const expectBody = (socket: Socket, requestId: string): void => {
  const body = {
    requestId,
    fail: (reason: Fault | ClientLeft) => expected.set(socket, { ...body, failed: reason }),
  };
  expected.set(socket, body);
};

export const expectedBody = (socket: Socket): ExpectedBody | undefined => expected.get(socket);

export const forgetBody = (socket: Socket): void => {
  expected.delete(socket);
};

/** Resolves when every byte has been taken. An error from `take` ends receiving. */
export const receiveBody = (
  request: IncomingMessage,
  { timeoutMs, signal }: ReceiveOptions,
  take: (chunk: Buffer) => Promise<void> | undefined,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let remainingMs = timeoutMs;
    let runningSinceMs = 0;
    let state: 'receiving' | 'settled' = 'receiving';
    const { socket } = request;

    const startTimer = () => {
      runningSinceMs = performance.now();
      timer = setTimeout(onTimeout, remainingMs);
    };
    const stopTimer = () => {
      clearTimeout(timer);
      remainingMs = Math.max(0, remainingMs - (performance.now() - runningSinceMs));
    };
    const settle = (outcome: () => void) => {
      if (state === 'settled') return;
      state = 'settled';
      clearTimeout(timer);
      small.take();
      signal.removeEventListener('abort', onAbort);
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      request.on('error', ignore);
      request.pause();
      outcome();
    };
    const fail = (reason: unknown) => settle(() => reject(reason));
    const onTimeout = () =>
      fail(
        new Fault('REQUEST_TIMEOUT', { message: `The upload did not arrive within ${Math.ceil(timeoutMs / 1000)} s.` }),
      );
    const onAbort = () => fail(signal.reason);
    const onEnd = () => {
      // The request also closes once its body has arrived.
      request.off('close', onGone);
      const rest = small.take();
      if (rest.length > 0) give(rest, () => settle(resolve));
      else settle(resolve);
    };
    // Parser errors come through `expectedBody`, so here the connection itself has ended.
    const onGone = () => fail(new ClientLeft());
    const give = (bytes: Buffer, onTaken = () => {}) => {
      try {
        const taken = take(bytes);
        if (taken === undefined) {
          onTaken();
          return;
        }
        request.pause();
        stopTimer();
        taken.then(() => {
          if (state === 'settled') return;
          startTimer();
          request.resume();
          onTaken();
        }, fail);
      } catch (thrown) {
        fail(thrown);
      }
    };
    const small = new SmallChunks(give);
    const onData = (chunk: Buffer) => small.push(chunk);

    const body = expected.get(socket);
    const early: unknown = signal.aborted ? signal.reason : body?.failed;
    if (early !== undefined) {
      reject(early);
      return;
    }
    if (body !== undefined) expected.set(socket, { ...body, fail });
    signal.addEventListener('abort', onAbort);
    startTimer();
    request.on('end', onEnd).on('error', onGone).on('close', onGone).on('data', onData);
  });

const ignore = () => {};
