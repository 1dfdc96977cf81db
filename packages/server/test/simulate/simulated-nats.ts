// NATS servers in memory, in virtual time: links with delay and bandwidth, and counts of messages and bytes.
import type { Bus, BusListener } from '../../src/cluster/bus.ts';
import { GATEWAYS_SUBJECT } from '../../src/cluster/subjects.ts';
import type { Codec } from '../../src/cluster/window-message.ts';
import { type Message, sizeOf } from './message-sizes.ts';
import type { Happening, VirtualTime } from './virtual-time.ts';

export interface Link {
  /** One way, between the party and its NATS server. */
  readonly delayMs: number;
  readonly bytesPerMs: number;
}

/** A party's connection, which can end without notice. */
export interface PartyBus extends Bus {
  cut(): void;
}

/** Simulated windows have only a few samples, each of which counts as this many bytes of real audio. */
export const SAMPLES_PER_SECOND = 10;
export const BYTES_PER_SAMPLE = (2 * 16_000) / SAMPLES_PER_SECOND;
const ROUTE_DELAY_MS = 0.5;

export type MessageKind =
  | 'window'
  | 'answer'
  | 'release'
  | 'request'
  | 'state'
  | 'worker heartbeat'
  | 'gateway heartbeat';

interface Count {
  /** As published, and as delivered to subscribers. */
  published: number;
  delivered: number;
  bytes: number;
}

interface Subscription {
  readonly bus: SimulatedBus;
  readonly onMessage: (bytes: Uint8Array) => void;
}

/** Messages stay objects, and are only typed as bytes for the parties. */
const bytesOf = (message: Message): Uint8Array => message as unknown as Uint8Array;
const messageOf = <T>(bytes: Uint8Array): T => bytes as unknown as T;

/** Passes messages on unchanged: serialising, parsing and validating them took most of a simulation's time. */
const AS_THEY_ARE: Codec = {
  write: bytesOf,
  writeWindow: (head, window) => bytesOf({ head, window }),
  readGatewayState: messageOf,
  readToGateway: messageOf,
  readWorkerMessage: messageOf,
  beginningOf: (bytes) => JSON.stringify(bytes),
};

/** A message in transit. */
class Delivery implements Happening {
  readonly #to: Subscription;
  readonly #bytes: Uint8Array;

  constructor(to: Subscription, bytes: Uint8Array) {
    this.#to = to;
    this.#bytes = bytes;
  }

  run(): void {
    const { bus, onMessage } = this.#to;
    if (bus.isConnected) onMessage(this.#bytes);
  }
}

export class SimulatedNats {
  readonly #time: VirtualTime;
  readonly #subscriptions = new Map<string, Subscription[]>();
  readonly counts = new Map<MessageKind, Count>();
  /** Messages in and out of each server, including routes between servers. */
  readonly perServer: number[];
  readonly #parties: SimulatedBus[] = [];
  /** Sees every message and its size. */
  onPublished: ((message: Message, size: number) => void) | undefined;

  constructor(time: VirtualTime, servers: number) {
    this.#time = time;
    this.perServer = Array.from({ length: servers }, () => 0);
  }

  /** Resets the counts. */
  clear(): void {
    this.counts.clear();
    this.perServer.fill(0);
  }

  connect(link: Link): SimulatedBus {
    const bus = new SimulatedBus(this, link, this.#parties.length % this.perServer.length);
    this.#parties.push(bus);
    return bus;
  }

  /** Takes NATS down for this time. Every party notices, and reconnects within a second afterwards. */
  fail(forMs: number, random: () => number): void {
    for (const bus of this.#parties) {
      if (!bus.isConnected) continue;
      bus.disconnect();
      this.#time.after(forMs + 1_000 * random(), () => bus.reconnect());
    }
  }

  subscribe(subject: string, subscription: Subscription): void {
    const there = this.#subscriptions.get(subject);
    if (there) there.push(subscription);
    else this.#subscriptions.set(subject, [subscription]);
  }

  unsubscribe(bus: SimulatedBus): void {
    for (const [subject, there] of this.#subscriptions) {
      const left = there.filter((one) => one.bus !== bus);
      if (left.length === 0) this.#subscriptions.delete(subject);
      else if (left.length < there.length) this.#subscriptions.set(subject, left);
    }
  }

  publish(from: SimulatedBus, subject: string, bytes: Uint8Array): void {
    const message = messageOf<Message>(bytes);
    const subscriptions = this.#subscriptions.get(subject);
    const size = sizeOf(message, BYTES_PER_SAMPLE);
    this.onPublished?.(message, size);
    const count = this.#countOf(this.#kindOf(message, subject));
    count.published += 1;
    this.#pass(from.server);
    const nowMs = this.#time.monotonicMs();
    const atServerMs = from.send(size, nowMs);
    if (!subscriptions) return;
    // Bit set of the servers that have the message.
    let routed = 1 << from.server;
    for (const subscription of subscriptions) {
      const { bus } = subscription;
      if ((routed & (1 << bus.server)) === 0) {
        routed |= 1 << bus.server;
        this.#pass(from.server);
        this.#pass(bus.server);
      }
      this.#pass(bus.server);
      count.delivered += 1;
      count.bytes += size;
      const routeMs = bus.server === from.server ? 0 : ROUTE_DELAY_MS;
      const atMs = bus.receive(size, atServerMs + routeMs);
      this.#time.add(atMs - nowMs, new Delivery(subscription, bytes));
    }
  }

  #countOf(kind: MessageKind): Count {
    let count = this.counts.get(kind);
    if (!count) {
      count = { published: 0, delivered: 0, bytes: 0 };
      this.counts.set(kind, count);
    }
    return count;
  }

  #pass(server: number): void {
    this.perServer[server] = this.perServer[server]! + 1;
  }

  #kindOf(message: Message, subject: string): MessageKind {
    if ('head' in message) return 'window';
    // A state for a single worker announces that the gateway's windows begin to wait, or no longer wait.
    if (message.kind === 'gateway') return subject === GATEWAYS_SUBJECT ? 'gateway heartbeat' : 'request';
    if (message.kind === 'worker') return this.#time.isInterval ? 'worker heartbeat' : 'state';
    return message.kind;
  }
}

export class SimulatedBus implements PartyBus {
  readonly codec = AS_THEY_ARE;
  readonly #nats: SimulatedNats;
  readonly #link: Link;
  readonly server: number;
  readonly #listeners: BusListener[] = [];
  #upFreeMs = 0;
  #downFreeMs = 0;
  isConnected = true;

  constructor(nats: SimulatedNats, link: Link, server: number) {
    this.#nats = nats;
    this.#link = link;
    this.server = server;
  }

  publish(subject: string, bytes: Uint8Array): void {
    if (this.isConnected) this.#nats.publish(this, subject, bytes);
  }

  subscribe(subject: string, onMessage: (bytes: Uint8Array) => void): void {
    this.#nats.subscribe(subject, { bus: this, onMessage });
  }

  listen(listener: BusListener): void {
    this.#listeners.push(listener);
  }

  /** Time at which the message reaches the server. A link carries one message at a time. */
  send(size: number, nowMs: number): number {
    this.#upFreeMs = Math.max(this.#upFreeMs, nowMs) + size / this.#link.bytesPerMs;
    return this.#upFreeMs + this.#link.delayMs;
  }

  receive(size: number, atServerMs: number): number {
    this.#downFreeMs = Math.max(this.#downFreeMs, atServerMs) + size / this.#link.bytesPerMs;
    return this.#downFreeMs + this.#link.delayMs;
  }

  /** The party notices that its server is down, until `reconnect`. */
  disconnect(): void {
    if (!this.isConnected) return;
    this.isConnected = false;
    for (const listener of this.#listeners) listener.onDisconnected();
  }

  reconnect(): void {
    this.isConnected = true;
    for (const listener of this.#listeners) listener.onConnected();
  }

  /** Cuts the connection without notice, as when the machine fails. */
  cut(): void {
    this.isConnected = false;
    this.#nats.unsubscribe(this);
  }

  async close(): Promise<void> {
    this.cut();
  }
}
