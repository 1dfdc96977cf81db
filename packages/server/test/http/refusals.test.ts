// What file mode refuses: the right code and status, a sentence that helps, one row, nothing billed.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ERRORS, LIMITS, type SentErrorCode } from '@faircopy/contract';
import { quiet } from '../../src/speech/testing/tones.ts';
import { BOUNDARY, field, file, form, formHead, MODEL, wavOf } from './forms.ts';
import { failure, sharedService } from './service.ts';

const shared = sharedService();
const CLIP = wavOf(quiet(0.5));
const JUNK = Buffer.from('this is no audio of any kind');

/** Checks the response of a refused request and its one new row. */
const refused = async (response: Response, code: SentErrorCode, sentence: RegExp, rowsBefore: number) => {
  const body = await failure(response);
  assert.equal(body.error.code, code, body.error.message);
  assert.equal(response.status, ERRORS[code].httpStatus);
  assert.match(body.error.message, sentence);
  assert.equal(response.headers.get('x-request-id'), body.request_id);
  const rows = (await shared().rows()).slice(rowsBefore);
  assert.deepEqual(
    rows.map(({ request_id, status, billedSeconds }) => ({ request_id, status, billedSeconds })),
    [{ request_id: body.request_id, status: code, billedSeconds: 0 }],
  );
};

const big = Buffer.alloc(LIMITS.fileBytesMax + 1, 0x20);

const CASES: Record<string, [Buffer, SentErrorCode, RegExp]> = {
  'no model': [form(file(CLIP)), 'INVALID_REQUEST', /"model" is missing/],
  'an unknown model': [form(field('model', 'svc-2.0'), file(CLIP)), 'INVALID_REQUEST', /"model" must be one of/],
  'an empty model': [form(field('model', ''), file(CLIP)), 'INVALID_REQUEST', /"model" must be one of/],
  'a model twice': [form(MODEL, MODEL, file(CLIP)), 'INVALID_REQUEST', /more than once/],
  'a model too long': [form(field('model', 'x'.repeat(5000)), file(CLIP)), 'INVALID_REQUEST', /too long/],
  'no audio': [form(MODEL), 'INVALID_REQUEST', /no file in the field "audio"/],
  'an empty form': [form(), 'INVALID_REQUEST', /no file/],
  'an empty file': [form(MODEL, file(Buffer.alloc(0))), 'INVALID_REQUEST', /empty/],
  'two files': [form(MODEL, file(CLIP), file(CLIP)), 'INVALID_REQUEST', /one file/],
  'two files under two names': [form(MODEL, file(CLIP), file(CLIP, 'more')), 'INVALID_REQUEST', /one file/],
  'a file under another name': [form(MODEL, file(CLIP, 'file')), 'INVALID_REQUEST', /field "audio"/],
  'an unknown include': [form(MODEL, field('include', 'tune'), file(CLIP)), 'INVALID_REQUEST', /"include"/],
  'a body that is not a form': [
    Buffer.from('{"model":"svc-1.0-max"}'),
    'INVALID_REQUEST',
    /does not contain the boundary/,
  ],
  'no body': [Buffer.alloc(0), 'INVALID_REQUEST', /does not contain the boundary/],
  'a form cut short in the file': [form(MODEL, file(CLIP)).subarray(0, -200), 'INVALID_REQUEST', /ends too early/],
  'a form cut short in a header': [form(MODEL, file(CLIP)).subarray(0, 60), 'INVALID_REQUEST', /ends too early/],
  'too many parts': [
    form(MODEL, ...Array.from({ length: 70 }, (_, n) => field(`f${n}`, ''))),
    'INVALID_REQUEST',
    /more than 64 parts/,
  ],
  'bytes that are not audio': [form(MODEL, file(JUNK)), 'AUDIO_FORMAT_UNSUPPORTED', /./],
  'a file that is too large': [form(MODEL, file(big)), 'FILE_TOO_LARGE', /50 MB/],
  // The order is size, then model, then format, then duration, regardless of which fault was found first.
  'too large before a missing model': [form(file(big)), 'FILE_TOO_LARGE', /50 MB/],
  'too large before an unknown model': [form(field('model', 'x'), file(big)), 'FILE_TOO_LARGE', /50 MB/],
  'an unknown model before a bad format': [form(field('model', 'x'), file(JUNK)), 'INVALID_REQUEST', /"model"/],
  'an unknown model after a bad format': [form(file(JUNK), field('model', 'x')), 'INVALID_REQUEST', /"model"/],
  'a missing model before the duration': [form(file(wavOf(quiet(301)))), 'INVALID_REQUEST', /"model"/],
  'a duration when all else is right': [form(file(wavOf(quiet(301))), MODEL), 'AUDIO_TOO_LONG', /./],
};

for (const [title, [body, code, sentence]] of Object.entries(CASES)) {
  test(`${title}: ${code}`, async () => {
    const before = (await shared().rows()).length;
    await refused(await shared().post(body), code, sentence, before);
  });
  test(`${title}, sent in chunks: ${code}`, async () => {
    const before = (await shared().rows()).length;
    await refused(await shared().post(new Blob([body]).stream()), code, sentence, before);
  });
}

test('a file of exactly 50 MB is not too large', async () => {
  const clip = wavOf(quiet(1));
  const exact = Buffer.concat([clip, Buffer.alloc(LIMITS.fileBytesMax - clip.length)]);
  assert.equal((await shared().post(form(MODEL, file(exact)))).status, 200);
});

test('a body with a Content-Encoding: INVALID_REQUEST, except identity', async () => {
  const response = await shared().post(form(MODEL, file(CLIP)), { 'content-encoding': 'gzip' });
  assert.equal(response.status, 400);
  const { error } = await failure(response);
  assert.equal(error.code, 'INVALID_REQUEST');
  assert.match(error.message, /Content-Encoding/);
  assert.equal((await shared().post(form(MODEL, file(CLIP)), { 'content-encoding': 'identity' })).status, 200);
});

test('content types other than a form: INVALID_REQUEST', async () => {
  for (const type of [
    'application/json',
    'audio/wav',
    'multipart/form-data',
    `multipart/mixed; boundary=${BOUNDARY}`,
    'nonsense',
    ';;;',
  ]) {
    const before = (await shared().rows()).length;
    const response = await shared().post(form(MODEL, file(CLIP)), { 'content-type': type });
    await refused(response, 'INVALID_REQUEST', /multipart\/form-data/, before);
  }
});

test('a missing or wrong key: 401, WWW-Authenticate: Token, no row', async () => {
  const { key } = shared();
  const before = await shared().rows();
  for (const authorization of [
    '',
    'Token',
    'Token ',
    `Bearer ${key}`,
    key,
    `Token  ${key}`,
    `Token ${key} more`,
    `Token ${key.slice(0, -1)}`,
    'Token fc_wrong',
    `Token ${'x'.repeat(600)}`,
    `Basic ${Buffer.from(`user:${key}`).toString('base64')}`,
  ]) {
    const response = await shared().post(form(MODEL, file(CLIP)), { authorization });
    assert.equal(response.status, 401, authorization);
    assert.equal(response.headers.get('www-authenticate'), 'Token');
    assert.equal((await failure(response)).error.code, 'UNAUTHORIZED');
  }
  assert.deepEqual(await shared().rows(), before);
});

test('a wrong key is reported before anything else', async () => {
  const response = await shared().post(Buffer.from('x'), { authorization: 'Token no', 'content-type': 'text/plain' });
  assert.equal(response.status, 401);
});

test('the scheme word is case-insensitive', async () => {
  for (const scheme of ['token', 'TOKEN']) {
    const authorization = `${scheme} ${shared().key}`;
    assert.equal((await shared().post(form(MODEL, file(CLIP)), { authorization })).status, 200);
  }
});

test('hostile names of files and fields are never used', async () => {
  for (const filename of ['../../../../etc/passwd', '/dev/zero', 'a\\"b', '<script>', 'x'.repeat(4000), 'ø.wav'])
    assert.equal((await shared().post(form(MODEL, { name: 'audio', value: CLIP, filename }))).status, 200, filename);
  const head = formHead(MODEL, field('__proto__', 'x'), field('constructor', 'y'));
  const rest = form(file(CLIP));
  assert.equal((await shared().post(Buffer.concat([head, Buffer.from('\r\n'), rest]))).status, 200);
});
