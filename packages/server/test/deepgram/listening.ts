// A plain WebSocket client for Deepgram's live endpoint, and the types of its messages.
import { once } from 'node:events';
import { type ClientOptions, WebSocket } from 'ws';
import type { Service } from '../http/service.ts';

export interface Results {
  readonly type: 'Results';
  readonly channel_index: readonly [number, number];
  readonly start: number;
  readonly duration: number;
  readonly is_final: boolean;
  readonly speech_final: boolean;
  readonly from_finalize: boolean;
  readonly channel: {
    readonly alternatives: readonly {
      readonly transcript: string;
      readonly confidence: number;
      readonly words: readonly {
        readonly word: string;
        readonly punctuated_word: string;
        readonly start: number;
        readonly end: number;
      }[];
    }[];
  };
  readonly metadata: { readonly request_id: string };
}

export type Message = { readonly type: string; readonly [field: string]: unknown };

export class Listening {
  readonly socket: WebSocket;
  readonly messages: Message[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  #waiters: (() => void)[] = [];

  constructor(
    { url, key }: Pick<Service, 'url' | 'key'>,
    query: string,
    options: ClientOptions = {},
    protocols?: string[],
    path = '/v1/listen',
  ) {
    const address = `${url.replace('http', 'ws')}${path}?${query}`;
    const headers = protocols ? {} : { authorization: `Token ${key}` };
    this.socket = new WebSocket(address, protocols ?? [], { headers, ...options });
    this.socket.on('error', () => undefined);
    this.socket.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)));
      for (const check of this.#waiters) check();
    });
    this.closed = new Promise((resolve) =>
      this.socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
  }

  get results(): Results[] {
    return this.messages.filter(({ type }) => type === 'Results') as unknown as Results[];
  }

  get finals(): Results[] {
    return this.results.filter(({ is_final }) => is_final);
  }

  async opened(): Promise<this> {
    await once(this.socket, 'open');
    return this;
  }

  /** Sends bytes in frames of this size, letting the server work in between. */
  async send(bytes: Uint8Array, frameBytes = 3_200): Promise<void> {
    for (let at = 0; at < bytes.length; at += frameBytes) {
      await new Promise((resolve) => this.socket.send(bytes.subarray(at, at + frameBytes), resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  control(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Resolves as soon as the messages so far fulfil the condition. */
  until(holds: (messages: readonly Message[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!holds(this.messages)) return;
        this.#waiters = this.#waiters.filter((other) => other !== check);
        resolve();
      };
      this.#waiters.push(check);
      check();
    });
  }
}

export const transcriptOf = (finals: readonly Results[]): string =>
  finals.flatMap(({ channel }) => channel.alternatives[0]?.transcript || []).join(' ');
