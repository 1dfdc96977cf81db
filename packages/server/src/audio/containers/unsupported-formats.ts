// Formats that are recognised only to name them in an error message.
import { textAt } from './read-bytes.ts';

const SIGNATURES: readonly (readonly [signature: string, name: string])[] = [
  // AIFF and wav have their own containers; these are other files with the same signature.
  ['FORM', 'an AIFF file'],
  ['RIFF', 'a RIFF file without wave audio'],
  ['#!AMR', 'an AMR file'],
  ['NIST_1A', 'a NIST Sphere file'],
  ['\x30\x26\xb2', 'a Windows Media file'],
  ['\x1f\x8b', 'a gzip file'],
  ['PK', 'a zip file'],
  ['\x0b\x77', 'an AC-3 file'],
  ['%PDF', 'a PDF document'],
  ['\x89PNG', 'an image'],
  ['\xff\xd8\xff', 'an image'],
  ['GIF8', 'an image'],
];

/** How much of a file `unsupportedFormatName` looks at. */
export const NAMED_BY_BYTES = 512;

export const unsupportedFormatName = (start: Uint8Array): string | undefined =>
  SIGNATURES.find(([signature]) => textAt(start, 0, signature.length) === signature)?.[1] ??
  (isText(start) ? 'a text file' : undefined);

/** Characters that text files do not have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const BINARY = /[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/;

/** A character may be cut at the end, so decoding is not final. */
const isText = (start: Uint8Array): boolean =>
  start.length > 0 && !BINARY.test(new TextDecoder().decode(start, { stream: true }));
