import assert from 'node:assert/strict';
import test from 'node:test';
import { boundaryOf, MULTIPART_LIMITS, MultipartFault, MultipartParser } from './multipart.ts';

interface Part {
  name: string;
  isFile: boolean;
  body: string;
}

/** Parses a body that arrives in chunks of `size` bytes. */
const parse = (body: string | Buffer, size = Number.POSITIVE_INFINITY, boundary = 'B'): Part[] => {
  const parser = new MultipartParser(boundary);
  const bytes = Buffer.from(body as string, 'latin1');
  const parts: Part[] = [];
  let open = false;
  for (let at = 0; at < bytes.length; at += size) {
    for (const event of parser.push(bytes.subarray(at, at + size))) {
      if (event.kind === 'part') {
        assert.equal(open, false);
        open = true;
        parts.push({ name: event.name, isFile: event.isFile, body: '' });
      } else if (event.kind === 'data') parts.at(-1)!.body += event.bytes.toString('latin1');
      else open = false;
    }
  }
  parser.finish();
  assert.equal(open, false);
  return parts;
};

const field = (name: string, value: string) =>
  `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, bytes: string) =>
  `--B\r\nContent-Disposition: form-data; name="${name}"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n${bytes}\r\n`;

test('parts are the same however the bytes are split', () => {
  const tricky = '\r\n--A\r\n--\r\n\r\r\n--\r\n-\r\n--b\r';
  const body = `${field('model', 'svc-1.0-max')}${file('audio', tricky)}${field('empty', '')}--B--\r\n`;
  const whole = parse(body);
  assert.deepEqual(whole, [
    { name: 'model', isFile: false, body: 'svc-1.0-max' },
    { name: 'audio', isFile: true, body: tricky },
    { name: 'empty', isFile: false, body: '' },
  ]);
  for (let size = 1; size <= 70; size += 1) assert.deepEqual(parse(body, size), whole, `in chunks of ${size}`);
});

test('a preamble, padding after a boundary and an epilogue are skipped', () => {
  const body = `hello\r\n--B \t\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--B--\r\nbye --B\r\n`;
  assert.deepEqual(parse(body), [{ name: 'a', isFile: false, body: '1' }]);
  assert.deepEqual(parse('--B--'), []);
});

test('names may be quoted, escaped, bare, folded and in any letter case', () => {
  const head = (value: string) => `--B\r\nCONTENT-disposition: ${value}\r\n\r\nx\r\n--B--`;
  assert.equal(parse(head('form-data; NAME="a \\"b\\" ; c"'))[0]!.name, 'a "b" ; c');
  assert.equal(parse(head('form-data;name=plain;filename=x'))[0]!.isFile, true);
  assert.equal(parse(head('form-data;\r\n name="folded"'))[0]!.name, 'folded');
  assert.equal(parse(head('form-data; name="f"; filename*=UTF-8\'\'x'))[0]!.isFile, true);
  assert.equal(parse(head('form-data; filename="name=evil"; name="good"'))[0]!.name, 'good');
});

test('a malformed form is refused with a message', () => {
  const bad: Record<string, RegExp> = {
    'no boundary here': /does not contain the boundary/,
    '': /does not contain the boundary/,
    [`${field('a', '1')}--B`]: /ends too early/,
    [file('audio', 'RIFF').slice(0, -4)]: /ends too early/,
    '--B\r\nContent-Disposition: form-data; name="a"': /ends too early/,
    '--Bxx\r\n\r\n': /malformed after a boundary/,
    '--B\r\n\r\nno header\r\n--B--\r\n\r\n': /malformed header/,
    '--B\r\nContent-Type: text/plain\r\n\r\nx\r\n--B--': /no name/,
    '--B\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n--B--': /no name/,
    '--B\r\nthis is no header\r\n\r\nx\r\n--B--': /malformed header/,
    '--B\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\neA==\r\n--B--':
      /plain bytes/,
  };
  for (const [body, sentence] of Object.entries(bad)) {
    for (const size of [1, 7, Number.POSITIVE_INFINITY]) {
      assert.throws(
        () => parse(body, size),
        (thrown) => thrown instanceof MultipartFault && sentence.test(thrown.message),
        `${JSON.stringify(body)} in chunks of ${size}`,
      );
    }
  }
});

test('the preamble and the size and number of headers are limited', () => {
  assert.throws(() => parse(`${'x'.repeat(MULTIPART_LIMITS.preambleBytesMax)}\r\n--B--`), MultipartFault);
  assert.throws(() => parse(`--B\r\nA: ${'x'.repeat(MULTIPART_LIMITS.headerBytesMax)}`), /too large/);
  assert.throws(
    () => parse(`--B\r\n${'A: b\r\n'.repeat(MULTIPART_LIMITS.headerPairsMax + 1)}\r\n`),
    /too many headers/,
  );
});

test('the boundary comes from the content type; null without one', () => {
  assert.equal(boundaryOf('multipart/form-data; boundary=abc'), 'abc');
  assert.equal(boundaryOf('Multipart/Form-Data;charset=utf-8; Boundary="a b;c"'), null);
  assert.equal(boundaryOf('multipart/form-data; boundary="a b:c"'), 'a b:c');
  for (const wrong of [
    undefined,
    '',
    'application/json',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    'multipart/mixed; boundary=abc',
    'multipart/form-dataX; boundary=abc',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    'multipart/form-data; boundary="trailing "',
  ])
    assert.equal(boundaryOf(wrong), null, String(wrong));
});
