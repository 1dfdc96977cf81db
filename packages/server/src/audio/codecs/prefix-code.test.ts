import assert from 'node:assert/strict';
import test from 'node:test';
import { SCALE_FACTOR_CODE, SPECTRUM_CODES } from './aac/huffman-codes.ts';
import { MsbBits } from './bits-msb.ts';
import { PAIR_CODES, QUADRUPLE_CODES } from './mp3/huffman-codes.ts';
import { PrefixCode } from './prefix-code.ts';

const notations = [SCALE_FACTOR_CODE, ...SPECTRUM_CODES, ...Object.values(PAIR_CODES), ...QUADRUPLE_CODES];

test('every standard code is complete: no bit pattern is unused or used twice', () => {
  for (const notation of notations) {
    const lengths = Array.from({ length: notation.length / 3 }, (_, at) => Number.parseInt(notation[3 * at]!, 36));
    assert.equal(
      lengths.reduce((sum, bits) => sum + 2 ** -bits, 0),
      1,
    );
    const symbols = Array.from({ length: lengths.length }, (_, at) => notation.slice(3 * at + 1, 3 * at + 3));
    assert.equal(new Set(symbols).size, lengths.length);
  }
});

test('every codeword, short or long, decodes to its symbol', () => {
  for (const notation of notations) {
    const code = new PrefixCode(notation);
    let aligned = 0;
    for (let at = 0; at < notation.length; at += 3) {
      const length = Number.parseInt(notation[at]!, 36);
      const word = aligned.toString(2).padStart(32, '0');
      const bytes = Uint8Array.from({ length: 4 }, (_, byte) => Number.parseInt(word.slice(8 * byte, 8 * byte + 8), 2));
      const bits = new MsbBits(bytes);
      assert.equal(code.next(bits), Number.parseInt(notation.slice(at + 1, at + 3), 36));
      assert.equal(bits.position, length);
      aligned += 2 ** (32 - length);
    }
  }
});
