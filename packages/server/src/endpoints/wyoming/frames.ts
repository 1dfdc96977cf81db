// Wyoming's framing: a line of JSON, then data and payload of the lengths that it gives.

export interface WyomingEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly payload: Buffer;
}

/** A frame is malformed or too large. */
export class FrameFault extends Error {}

const LIMITS = { lineBytes: 64 * 1024, dataBytes: 1024 * 1024, payloadBytes: 1024 * 1024 } as const;
const NEWLINE = 0x0a;

interface Header {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly dataBytes: number;
  readonly payloadBytes: number;
}

const objectIn = (text: string): Record<string, unknown> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FrameFault('The header is not JSON.');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new FrameFault('The header is not an object.');
};

const lengthOf = (value: unknown, max: number): number => {
  if (value === undefined || value === null) return 0;
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max) return Number(value);
  throw new FrameFault(`A length must be from 0 to ${max}.`);
};

const headerOf = (line: string): Header => {
  const { type, data, data_length, payload_length } = objectIn(line);
  if (typeof type !== 'string') throw new FrameFault('The header has no type.');
  return {
    type,
    data: typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {},
    dataBytes: lengthOf(data_length, LIMITS.dataBytes),
    payloadBytes: lengthOf(payload_length, LIMITS.payloadBytes),
  };
};

export class FrameParser {
  #bytes: Buffer = Buffer.alloc(0);
  #header: Header | undefined;

  /** Returns the events that the chunk completes. Throws a FrameFault. */
  push(chunk: Buffer): WyomingEvent[] {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const events: WyomingEvent[] = [];
    for (let event = this.#next(); event; event = this.#next()) events.push(event);
    return events;
  }

  #next(): WyomingEvent | undefined {
    this.#header ??= this.#readHeader();
    const header = this.#header;
    if (!header || this.#bytes.length < header.dataBytes + header.payloadBytes) return undefined;
    this.#header = undefined;
    const data = this.#take(header.dataBytes).toString('utf8');
    const payload = Buffer.from(this.#take(header.payloadBytes));
    return { type: header.type, data: { ...header.data, ...(data === '' ? {} : objectIn(data)) }, payload };
  }

  #readHeader(): Header | undefined {
    const end = this.#bytes.indexOf(NEWLINE);
    if (end > LIMITS.lineBytes || (end === -1 && this.#bytes.length > LIMITS.lineBytes))
      throw new FrameFault('The header is too long.');
    if (end === -1) return undefined;
    return headerOf(this.#take(end + 1).toString('utf8'));
  }

  #take(count: number): Buffer {
    const taken = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(count);
    return taken;
  }
}

/** Encodes an event as the reference implementation does: data after the header, omitted when empty. */
export const frameOf = (type: string, data: Readonly<Record<string, unknown>> = {}): Buffer => {
  const hasData = Object.keys(data).length > 0;
  const body = Buffer.from(hasData ? JSON.stringify(data) : '', 'utf8');
  const header = { type, version: '1.10.0', ...(hasData && { data_length: body.length }) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`, 'utf8'), body]);
};
