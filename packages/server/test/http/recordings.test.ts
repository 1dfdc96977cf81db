// Real and damaged recordings through the whole endpoint: each gets the answer it should, and no 500.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { errorResponse, successResponse } from '@faircopy/contract';
import { file, form, MODEL } from './forms.ts';
import { sharedService } from './service.ts';

const FOLDER = fileURLToPath(new URL('../../../../../../shared/eval/robust/', import.meta.url));
const skip = !existsSync(`${FOLDER}manifest.jsonl`) && 'the folder of recordings is not beside the repository';

/** The manifest says what can be decoded at all; the contract takes three formats and refuses the others. */
const isOtherFormat = (name: string) => /\.(aiff|flac)$/.test(name);

interface Row {
  readonly file: string;
  readonly expect: 'decode' | 'error' | 'either';
}

const shared = sharedService();

test('every recording is transcribed or refused as expected', { skip }, async () => {
  const rows = readFileSync(`${FOLDER}manifest.jsonl`, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
  const wrong: string[] = [];
  for (const row of rows) {
    const response = await shared().post(form(MODEL, file(readFileSync(`${FOLDER}${row.file}`))));
    const body: unknown = await response.json();
    const isWellFormed = (response.status === 200 ? successResponse : errorResponse).safeParse(body).success;
    const expected = isOtherFormat(row.file) ? 'error' : row.expect;
    const isRight =
      expected === 'decode'
        ? response.status === 200
        : expected === 'error'
          ? response.status >= 400 && response.status < 500
          : response.status < 500;
    if (!isWellFormed || !isRight) wrong.push(`${row.file}: ${row.expect}, ${response.status} ${JSON.stringify(body)}`);
  }
  assert.deepEqual(wrong, []);
  assert.equal((await shared().rows()).length, rows.length);
});
