// Fuzz targets of the upload form: its content type, and its parts, which may arrive in any pieces.
import {
  boundaryOf,
  MULTIPART_LIMITS,
  MultipartFault,
  MultipartParser,
  type PartEvent,
} from '../../../src/transport/http/upload/multipart.ts';
import { BOUNDARY, field, file, form } from '../../http/forms.ts';
import type { FuzzTarget } from '../target.ts';

interface Reading {
  readonly events: string;
  readonly refusal: string | null;
  readonly bodyBytes: number;
}

/** The parser's events for a body, with neighbouring data joined. */
const read = (bytes: Buffer, pieceBytes: () => number): Reading => {
  const parser = new MultipartParser(BOUNDARY);
  const events: string[] = [];
  let open = '';
  let bodyBytes = 0;
  const add = (event: PartEvent): void => {
    if (event.kind === 'data') {
      open += event.bytes.toString('latin1');
      bodyBytes += event.bytes.length;
      return;
    }
    if (open !== '') events.push(`data ${open}`);
    open = '';
    events.push(JSON.stringify(event));
  };
  let refusal: string | null = null;
  try {
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + pieceBytes());
      for (const event of parser.push(piece)) add(event);
      at += piece.length;
    }
    parser.finish();
  } catch (thrown) {
    if (!(thrown instanceof MultipartFault)) throw thrown;
    refusal = thrown.message;
  }
  return { events: events.join('\n'), refusal, bodyBytes };
};

/** Limits apply to what has arrived, so only inputs up to this size must read the same in any pieces. */
const ALIKE_BYTES_MAX = MULTIPART_LIMITS.preambleBytesMax;

export const multipartTarget = async (): Promise<FuzzTarget> => ({
  seeds: [
    form(field('model', 'svc-1.0-lite'), file(Buffer.from('RIFFxxxxWAVE'))),
    form(file(Buffer.from('\r\n--faircopy-test-boundar'), 'audio'), field('include', 'words')),
    Buffer.from(
      `preamble\r\n--${BOUNDARY}  \r\nContent-Disposition: form-data;\r\n name="a\\"b"\r\n\r\n\r\n--${BOUNDARY}--x`,
    ),
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Type: text/plain\r\ncontent-disposition: form-data; filename*=utf-8''x; name=audio\r\n` +
        `Content-Transfer-Encoding: binary\r\n\r\nabc\r\n--${BOUNDARY}--\r\n`,
    ),
  ],
  dictionary: [
    `\r\n--${BOUNDARY}`,
    `--${BOUNDARY}--`,
    '\r\n\r\n',
    'Content-Disposition: form-data; name="audio"; filename="a"\r\n',
    'Content-Transfer-Encoding: base64\r\n',
    'name=',
    '"',
    '\\',
  ],
  within: '/src/transport/http/',
  bytesMax: 8_192,
  run: (input, random) => {
    const bytes = Buffer.from(input);
    const whole = read(bytes, () => bytes.length);
    const pieces = read(bytes, () => 1 + Math.floor(random() ** 2 * 40));
    if (whole.bodyBytes > bytes.length) throw new Error('more bytes came out than went in');
    if (bytes.length > ALIKE_BYTES_MAX) return;
    if (whole.refusal !== pieces.refusal) throw new Error(`refused differently in pieces: ${whole.refusal}`);
    if (whole.refusal === null && whole.events !== pieces.events) throw new Error('reads differently in pieces');
  },
});

export const contentTypeTarget = async (): Promise<FuzzTarget> => ({
  seeds: ['multipart/form-data; boundary=abc', 'Multipart/Form-Data;x="a\\"b" ; boundary="a b"'].map((text) =>
    Buffer.from(text),
  ),
  dictionary: ['boundary=', ';', '"', '\\"', 'multipart/form-data', ' ', '\t', '='],
  within: '/src/transport/http/',
  bytesMax: 16_384,
  run: (input) => {
    const boundary = boundaryOf(Buffer.from(input).toString('latin1'));
    if (boundary !== null && (boundary.length === 0 || boundary.length > 70))
      throw new Error('a boundary of invalid length');
  },
});
