import assert from 'node:assert/strict';
import test from 'node:test';
import { unsupportedFormatName } from './unsupported-formats.ts';

const named = (text: string) => unsupportedFormatName(new TextEncoder().encode(text));

test('a text file is called a text file, whatever its language', () => {
  for (const text of ['hi', 'Minutes of the meeting:\r\n\t- Größe', '会議の議事録', '{"a": 1}'])
    assert.equal(named(text), 'a text file');
  // A character is cut at the end.
  assert.equal(unsupportedFormatName(new TextEncoder().encode('naïve é').subarray(0, -1)), 'a text file');
});

test('other documents have their names, and unknown bytes have none', () => {
  assert.equal(named('%PDF-1.7\n'), 'a PDF document');
  assert.equal(unsupportedFormatName(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10)), 'an image');
  assert.equal(unsupportedFormatName(Uint8Array.of(65, 66, 0, 67)), undefined);
  assert.equal(unsupportedFormatName(Uint8Array.of(0xc3, 0x28, 0xa0)), undefined);
});
