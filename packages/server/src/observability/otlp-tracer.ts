// Sends spans to an OpenTelemetry collector as OTLP/HTTP JSON, in batches. Drops spans instead of queueing without limit.
import { randomBytes } from 'node:crypto';
import { BUILD, VERSION } from '../lib/process/version.ts';
import type { TraceParent } from './trace-parent.ts';
import type { Span, Tracer } from './tracer.ts';

export interface OtlpOptions {
  /** The collector's URL, such as http://localhost:4318. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Name of this server. */
  readonly instance: string;
  readonly onTrouble: (text: string) => void;
}

const SPANS_MAX = 4_096;
/** Ended requests whose parents are kept, because their abandoned windows may still report spans. */
const ENDED_MAX = 1_000;
const BATCH_MS = 2_000;
const SEND_MS_MAX = 5_000;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS_PER_LETTER = 5n;
const KIND = { server: 2, internal: 1 } as const;
const STATUS_ERROR = 2;

/** A ULID and a trace id both have 128 bits, so each can be derived from the other. */
export const traceIdOf = (requestId: string): string => {
  let bits = 0n;
  for (const letter of requestId) bits = (bits << BITS_PER_LETTER) | BigInt(Math.max(0, ALPHABET.indexOf(letter)));
  return BigInt.asUintN(128, bits).toString(16).padStart(32, '0');
};

/** Parts may be recorded before the whole request, so its span id is derived from the request id. */
const rootIdOf = (traceId: string): string => traceId.slice(16);

const nanoseconds = (ms: number): string => `${Math.round(ms * 1000)}000`;

const attribute = ([key, value]: readonly [string, string | number]) => ({
  key,
  value:
    typeof value === 'string'
      ? { stringValue: value }
      : Number.isInteger(value)
        ? { intValue: value }
        : { doubleValue: value },
});

interface PlacedSpan {
  readonly span: Span;
  readonly parent: TraceParent | undefined;
}

const otlpSpan = ({ span, parent }: PlacedSpan) => {
  const { requestId, name, startMs, endMs, isFailure, attributes = {} } = span;
  const isRoot = name === 'call';
  const rootId = rootIdOf(traceIdOf(requestId));
  const parentSpanId = isRoot ? parent?.spanId : rootId;
  return {
    traceId: parent?.traceId ?? traceIdOf(requestId),
    spanId: isRoot ? rootId : randomBytes(8).toString('hex'),
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: isRoot ? KIND.server : KIND.internal,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: Object.entries({ 'faircopy.request_id': requestId, ...attributes }).map(attribute),
    ...(isFailure ? { status: { code: STATUS_ERROR } } : {}),
  };
};

export class OtlpTracer implements Tracer {
  readonly #options: OtlpOptions;
  readonly #url: string;
  /** Bounded by the number of open connections, and by ENDED_MAX. */
  readonly #parents = new Map<string, TraceParent>();
  readonly #ended: string[] = [];
  #waiting: PlacedSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** One at a time: of a collector that accepts and never answers, each lasts until it times out. */
  #sending: Promise<void> | null = null;
  /** Whether a batch became due while another was being sent. */
  #isDue = false;
  #isTroubled = false;

  constructor(options: OtlpOptions) {
    this.#options = options;
    this.#url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`;
  }

  adopt(requestId: string, parent: TraceParent): void {
    this.#parents.set(requestId, parent);
  }

  forget(requestId: string): void {
    if (!this.#parents.has(requestId)) return;
    this.#ended.push(requestId);
    if (this.#ended.length > ENDED_MAX) this.#parents.delete(this.#ended.shift()!);
  }

  record(span: Span): void {
    const parent = this.#parents.get(span.requestId);
    // The caller does not record the rest of this trace either.
    if (parent?.isSampled === false || this.#waiting.length >= SPANS_MAX) return;
    this.#waiting.push({ span, parent });
    this.#timer ??= setTimeout(() => this.#flush(), BATCH_MS).unref();
  }

  /** Waits for at most two sends: the one in progress, and one with all spans that are waiting. */
  async close(): Promise<void> {
    for (let sends = 0; sends < 2; sends += 1) {
      this.#flush();
      await this.#sending;
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = this.#sending !== null;
    if (this.#isDue || this.#waiting.length === 0) return;
    const spans = this.#waiting;
    this.#waiting = [];
    this.#sending = this.#send(spans).finally(() => {
      this.#sending = null;
      if (this.#isDue) this.#flush();
    });
  }

  async #send(spans: readonly PlacedSpan[]): Promise<void> {
    const { serviceName, instance } = this.#options;
    const facts = { 'service.name': serviceName, 'service.version': BUILD, 'service.instance.id': instance };
    const resource = { attributes: Object.entries(facts).map(attribute) };
    const scopeSpans = [{ scope: { name: 'faircopy', version: VERSION }, spans: spans.map(otlpSpan) }];
    try {
      const answer = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.#options.headers },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
        signal: AbortSignal.timeout(SEND_MS_MAX),
      });
      await answer.body?.cancel();
      this.#say(answer.ok ? null : `it answered ${answer.status}`);
    } catch (cause) {
      this.#say((cause as Error).message);
    }
  }

  /** Reports once when sending starts to fail and once when it recovers, not per batch. */
  #say(trouble: string | null): void {
    if ((trouble !== null) === this.#isTroubled) return;
    this.#isTroubled = trouble !== null;
    this.#options.onTrouble(
      trouble === null ? 'traces are sent again' : `traces are lost: cannot send to ${this.#url}: ${trouble}`,
    );
  }
}
