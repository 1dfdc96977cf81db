// A plain client for the realtime endpoint, which sends audio in events.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { joined } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import type { Service } from '../http/service.ts';

export type Event = { readonly type: string; readonly [field: string]: unknown };

export class Realtime {
  readonly socket: WebSocket;
  readonly events: Event[] = [];
  readonly closed: Promise<number>;
  #waiters: (() => void)[] = [];
  #connection: Socket | undefined;

  constructor({ url, key }: Pick<Service, 'url' | 'key'>, query = 'intent=transcription', protocols?: string[]) {
    const headers = protocols ? {} : { authorization: `Bearer ${key}` };
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?${query}`, protocols ?? [], { headers });
    this.socket.on('error', () => undefined);
    this.socket.once('upgrade', ({ socket }) => {
      this.#connection = socket;
    });
    this.socket.on('message', (data) => {
      this.events.push(JSON.parse(String(data)));
      for (const check of this.#waiters) check();
    });
    this.closed = new Promise((resolve) => this.socket.on('close', resolve));
  }

  async opened(): Promise<this> {
    await once(this.socket, 'open');
    return this;
  }

  send(event: object): void {
    this.socket.send(JSON.stringify(event));
  }

  /** Sends several events in one write, so that the server reads them at once. */
  sendTogether(events: readonly object[]): void {
    this.#connection!.cork();
    for (const event of events) this.send(event);
    this.#connection!.uncork();
  }

  async append(bytes: Buffer, chunkBytes = 4_800): Promise<void> {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      this.send({ type: 'input_audio_buffer.append', audio: bytes.subarray(at, at + chunkBytes).toString('base64') });
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  of(type: string): Event[] {
    return this.events.filter((event) => event.type === type);
  }

  async until(type: string, count = 1): Promise<Event> {
    await new Promise<void>((resolve) => {
      const check = () => {
        if (this.of(type).length < count) return;
        this.#waiters = this.#waiters.filter((other) => other !== check);
        resolve();
      };
      this.#waiters.push(check);
      check();
    });
    return this.of(type)[count - 1]!;
  }
}

export const PCM_16K = { format: { type: 'audio/pcm', rate: 16_000 } };
/** An update of the session. */
export const session = (input: object) => ({
  type: 'session.update',
  session: { type: 'transcription', audio: { input } },
});
export const speech = (...parts: Float32Array[]): Buffer => Buffer.from(pcm16Bytes(joined(...parts)));

export const COMPLETED = 'conversation.item.input_audio_transcription.completed';
export const DELTA = 'conversation.item.input_audio_transcription.delta';
