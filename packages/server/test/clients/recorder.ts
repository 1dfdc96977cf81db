// A proxy between a client and the server that records what both send.
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { Service } from '../http/service.ts';
import { type Message, phrasesAt, ShownMessages, type Step, withoutAudio } from './recording.ts';

export interface Recorder {
  readonly port: number;
  /** Path and query of the connection. */
  readonly path: () => string;
  readonly steps: Step[];
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
  stop(): void;
}

/** Reported for a connection that was closed without a code. */
const NO_CODE = 1005;

/** Merges equal consecutive steps into one. */
const add = (steps: Step[], step: Step): void => {
  const last = steps.at(-1);
  const { times: _, ...before } = { times: 0, ...last };
  const { times: __, ...now } = { times: 0, ...step };
  if (last && 'times' in last && JSON.stringify(before) === JSON.stringify(now))
    steps[steps.length - 1] = { ...last, times: last.times + 1 };
  else steps.push(step);
};

/** Finds the bytes that a client sends in the audio, and returns how many it left out before them. */
const skips = (audio: Buffer) => {
  let at = 0;
  return (sent: Buffer): number => {
    const found = audio.indexOf(sent, at);
    if (found === -1) throw new Error('the client sent other audio than it was given');
    const skipped = found - at;
    at = found + sent.length;
    return skipped;
  };
};

export const startRecorder = async (
  { url, key }: Service,
  rateHz: number,
  tls?: { readonly key: Buffer; readonly cert: Buffer },
): Promise<Recorder> => {
  const server: Server = tls ? createTlsServer(tls) : createServer();
  const sockets = new WebSocketServer({ server, handleProtocols: (offered) => [...offered][0] ?? false });
  const steps: Step[] = [];
  let path = '';
  const closed = new Promise<void>((resolve) => {
    sockets.on('connection', (client, { url: asked = '' }) => {
      path = asked;
      const shown = new ShownMessages();
      const skippedBefore = skips(Buffer.concat(phrasesAt(rateHz)));
      let isOver = false;
      const headers = { authorization: `Token ${key}` };
      const upstream = new WebSocket(`${url.replace('http', 'ws')}${asked}`, { headers });
      const opened = new Promise((ready) => upstream.once('open', ready));
      client.on('message', async (data: Buffer, isBinary) => {
        if (isBinary) {
          const skipped = skippedBefore(data);
          if (skipped > 0) steps.push({ skipped });
          add(steps, { audio: data.length, times: 1 });
        } else add(steps, { send: withoutAudio(JSON.parse(data.toString())), times: 1 });
        await opened;
        upstream.send(data, { binary: isBinary });
      });
      upstream.on('message', (data) => {
        const message = shown.show(JSON.parse(String(data)) as Message);
        if (message && !isOver) steps.push({ expect: message });
        client.send(String(data));
      });
      upstream.on('close', (code) => {
        if (!isOver) steps.push({ close: code });
        isOver = true;
        client.close(code === NO_CODE ? undefined : code);
        resolve();
      });
      client.on('close', () => {
        if (!isOver) steps.push({ close: 'client' });
        isOver = true;
        upstream.close();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, path: () => path, steps, closed, stop: () => server.close() };
};
