// Formats that are recognised only to name them in an error message.
import { textAt } from './read-bytes.ts';

const SIGNATURES: readonly (readonly [signature: string, name: string])[] = [
  // AIFF and wav have containers of their own: these are other files with the same signature.
  ['FORM', 'an AIFF file'],
  ['RIFF', 'a RIFF file without wave audio'],
  ['#!AMR', 'an AMR file'],
  ['NIST_1A', 'a NIST Sphere file'],
  ['\x30\x26\xb2', 'a Windows Media file'],
  ['\x1f\x8b', 'a gzip file'],
  ['PK', 'a zip file'],
  ['\x0b\x77', 'an AC-3 file'],
];

export const unsupportedFormatName = (start: Uint8Array): string | undefined =>
  SIGNATURES.find(([signature]) => textAt(start, 0, signature.length) === signature)?.[1];
