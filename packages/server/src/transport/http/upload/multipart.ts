// Parses multipart/form-data as it arrives: bytes in, part events out. No I/O, bounded memory.

export type PartEvent =
  | { readonly kind: 'part'; readonly name: string; readonly isFile: boolean }
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'end' };

/** The form is malformed. The message is for the client. */
export class MultipartFault extends Error {}

export const MULTIPART_LIMITS = { preambleBytesMax: 4096, headerBytesMax: 16 * 1024, headerPairsMax: 32 } as const;

const CRLF = Buffer.from('\r\n');
const BLANK_LINE = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);
const DASH = 0x2d;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** The boundary of a multipart/form-data content type; null for another type or without a boundary. */
export const boundaryOf = (contentType: string | undefined): string | null => {
  const match = /^multipart\/form-data[ \t]*(;.*)$/is.exec(contentType ?? '');
  const boundary = match?.[1] && parametersOf(match[1]).get('boundary');
  // RFC 2046: up to 70 characters of a small alphabet, not ending in a space.
  return boundary && /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary) ? boundary : null;
};

/** Parses `; name="value"; other=value`. Names are lower-cased; the first of a name wins. */
const parametersOf = (text: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const [, name, quoted, plain] of text.matchAll(
    /;[ \t]*([^\s=;"]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g,
  )) {
    const key = name!.toLowerCase();
    if (!found.has(key))
      found.set(key, quoted === undefined ? (plain ?? '').trim() : quoted.replace(/\\(["\\])/g, '$1'));
  }
  return found;
};

const partOf = (header: string): PartEvent => {
  const lines = header.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  if (lines.length > MULTIPART_LIMITS.headerPairsMax)
    throw new MultipartFault('A part of the form has too many headers.');
  let disposition: string | undefined;
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new MultipartFault('A part of the form has a malformed header.');
    if (/^content-disposition$/i.test(name)) disposition ??= value;
    // RFC 7578 retired encodings. Encoded audio would fail later, with a less clear error.
    if (/^content-transfer-encoding$/i.test(name) && !/^(binary|8bit|7bit)\s*$/i.test(value))
      throw new MultipartFault('Parts of the form must be sent as plain bytes, without a transfer encoding.');
  }
  const parameters = /^form-data\s*(;.*)$/is.exec(disposition ?? '')?.[1];
  const named = parametersOf(parameters ?? '');
  const name = named.get('name');
  if (name === undefined) throw new MultipartFault('A part of the form has no name.');
  return { kind: 'part', name, isFile: named.has('filename') || named.has('filename*') };
};

type State = 'preamble' | 'delimiter' | 'header' | 'body' | 'epilogue';

export class MultipartParser {
  readonly #delimiter: Buffer;
  #state: State = 'preamble';
  /** Bytes that need more input. Starts with CRLF, because the first delimiter may have no line before it. */
  #rest: Buffer = CRLF;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Yields the events that a chunk completes. The bytes of a `data` event point into the chunk. */
  *push(chunk: Buffer): Generator<PartEvent, void, undefined> {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = NOTHING;
    while (bytes.length > 0) {
      const before: State = this.#state;
      const used: number = yield* this.#step(bytes);
      bytes = bytes.subarray(used);
      if (used === 0 && this.#state === before) break;
    }
    this.#rest = bytes;
  }

  /** Call at the end of the body. */
  finish(): void {
    if (this.#state === 'preamble')
      throw new MultipartFault('The body does not contain the boundary of its content type.');
    if (this.#state !== 'epilogue')
      throw new MultipartFault('The form ends too early: its closing boundary is missing.');
  }

  /** One step of the state machine. Returns the number of bytes consumed. */
  *#step(bytes: Buffer): Generator<PartEvent, number, undefined> {
    switch (this.#state) {
      case 'preamble': {
        const at = bytes.indexOf(this.#delimiter);
        if (at === -1 ? bytes.length > MULTIPART_LIMITS.preambleBytesMax : at > MULTIPART_LIMITS.preambleBytesMax)
          throw new MultipartFault('The body does not contain the boundary of its content type.');
        if (at === -1) return 0;
        this.#state = 'delimiter';
        return at + this.#delimiter.length;
      }
      case 'delimiter':
        return this.#afterDelimiter(bytes);
      case 'header': {
        const at = bytes.indexOf(BLANK_LINE);
        if (at === -1 ? bytes.length > MULTIPART_LIMITS.headerBytesMax : at > MULTIPART_LIMITS.headerBytesMax)
          throw new MultipartFault('A part of the form has headers that are too large.');
        if (at === -1) return 0;
        yield partOf(bytes.toString('utf8', 0, at));
        this.#state = 'body';
        return at + BLANK_LINE.length;
      }
      case 'body':
        return yield* this.#body(bytes);
      case 'epilogue':
        return bytes.length;
    }
  }

  *#body(bytes: Buffer): Generator<PartEvent, number, undefined> {
    const at = bytes.indexOf(this.#delimiter);
    const whole = at === -1 ? this.#certainlyBody(bytes) : at;
    if (whole > 0) yield { kind: 'data', bytes: bytes.subarray(0, whole) };
    if (at === -1) return whole;
    yield { kind: 'end' };
    this.#state = 'delimiter';
    return at + this.#delimiter.length;
  }

  /** The number of bytes before a delimiter that may continue in the next chunk. */
  #certainlyBody(bytes: Buffer): number {
    let at = bytes.indexOf(CR, Math.max(0, bytes.length - this.#delimiter.length + 1));
    while (at !== -1 && !this.#delimiter.subarray(0, bytes.length - at).equals(bytes.subarray(at)))
      at = bytes.indexOf(CR, at + 1);
    return at === -1 ? bytes.length : at;
  }

  #afterDelimiter(bytes: Buffer): number {
    // RFC 2046 allows padding after a delimiter.
    let padding = 0;
    while (bytes[padding] === SPACE || bytes[padding] === TAB) padding += 1;
    if (padding > 0) return padding;
    if (bytes.length < 2) return 0;
    if (bytes[0] === DASH && bytes[1] === DASH) {
      this.#state = 'epilogue';
      return 2;
    }
    if (bytes.subarray(0, 2).equals(CRLF)) {
      this.#state = 'header';
      return 2;
    }
    throw new MultipartFault('The form is malformed after a boundary.');
  }
}
