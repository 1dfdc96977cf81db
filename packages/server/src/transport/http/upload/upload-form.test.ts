import assert from 'node:assert/strict';
import test from 'node:test';
import { type FormShape, UploadForm } from './upload-form.ts';

interface Values {
  readonly terms: readonly string[];
}

const SHAPE: FormShape<Values> = {
  filePart: 'audio',
  initial: { terms: [] },
  field: (name) =>
    name === 'term' ? { name, countMax: 1_000, parse: (text, { terms }) => ({ terms: [...terms, text] }) } : null,
};

const part = (head: string, text: string): string =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
const term = (text: string): string => part('name="term"', text);
const FILE = part('name="audio"; filename="a.wav"', 'RIFF');

test('fields that arrive together are announced once, and before the file that follows them', () => {
  const seen: string[] = [];
  const form = new UploadForm('b', SHAPE, {
    write: (bytes) => {
      seen.push(`file ${bytes.length}`);
      return undefined;
    },
    onValues: ({ terms }) => seen.push(`terms ${terms.join()}`),
  });
  form.push(Buffer.from(`${term('a')}${term('b')}${FILE}${term('c')}${term('d')}${term('e')}--b--\r\n`));
  form.finish();
  assert.deepEqual(seen, ['terms a,b', 'file 4', 'terms a,b,c,d,e']);
  assert.deepEqual(form.values().terms, ['a', 'b', 'c', 'd', 'e']);
});
