import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test, { type TestContext } from 'node:test';
import { type ExportedRow, SIGNED_TYPES } from '@faircopy/contract';
import { openStorage, type Storage } from '../../storage/open.ts';
import { emptyDatabase, onBothEngines } from '../../storage/testing/engines.ts';
import { toRow } from '../ledger/entry-row.ts';
import { reconcile } from '../ledger/ledger-write.ts';
import { entry } from '../testing/entries.ts';
import { recordEntries } from '../testing/ledger.ts';
import { exportLines } from './export.ts';
import { type Jwk, keyIdOf, signJws, verifyJws } from './jws.ts';
import { issueReceipt } from './receipt.ts';
import { publicKeys, ReceiptSigner, rotateKey } from './signing-keys.ts';
import { unknownKey } from './testing/unknown-signer.ts';
import { VerificationError, verifyExport, verifyReceipt } from './verify.ts';

const recorded = async (storage: Storage, count: number) => {
  const entries = Array.from({ length: count }, (_, n) =>
    entry({ audioSeconds: n * 1.1, recognitionMs: n / 10, detectedLanguage: n % 2 ? 'de' : null }),
  );
  await recordEntries(storage, entries);
  return entries;
};

const exported = async (storage: Storage, range: { fromSeq?: number; toSeq?: number } = {}): Promise<string[]> => {
  let text = '';
  for await (const lines of exportLines(
    { storage, signer: new ReceiptSigner(storage) },
    { accountId: 'account-1', ...range },
  ))
    text += lines;
  return text.trimEnd().split('\n');
};

const trustedOf = async (storage: Storage): Promise<ReadonlyMap<string, Jwk>> =>
  new Map((await publicKeys(storage.write)).keys.map((key) => [key.kid, key]));

const check = (lines: readonly string[], trusted?: ReadonlyMap<string, Jwk>) =>
  verifyExport(Readable.from(lines), trusted);

onBothEngines('every row has a receipt that can be verified offline', async (_t, { storage }) => {
  const entries = await recorded(storage, 3);
  const ports = { storage, signer: new ReceiptSigner(storage) };
  await ports.signer.published();
  const trusted = await trustedOf(storage);
  for (const [at, each] of entries.entries()) {
    const text = await issueReceipt(ports, { accountId: 'account-1', requestId: each.requestId });
    const { receipt, keyId } = verifyReceipt(text, trusted);
    assert.ok(trusted.has(keyId));
    assert.equal(receipt.record.request_id, each.requestId);
    assert.equal(receipt.record.billed_audio_seconds, each.billedSeconds);
    assert.equal(receipt.link.seq, at + 1);
  }
  const notMine = { accountId: 'account-2', requestId: entries[0]!.requestId };
  await assert.rejects(issueReceipt(ports, notMine), { code: 'NOT_FOUND' });
});

test('a forged receipt is rejected', () => {
  const [ours, theirs] = [unknownKey(), unknownKey()];
  const trusted = new Map([[keyIdOf(ours.jwk), ours.jwk]]);
  const text = signJws(SIGNED_TYPES.receipt, { a: 1 }, ours);
  const [header, payload, signature] = text.split('.') as [string, string, string];
  const altered = Buffer.from(JSON.stringify({ a: 2 })).toString('base64url');
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: SIGNED_TYPES.receipt, kid: 'x' })).toString(
    'base64url',
  );
  for (const forged of [
    `${header}.${altered}.${signature}`,
    `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    `${header}.${payload}`,
    `${unsigned}.${payload}.`,
    `${unsigned}.${payload}.AA`,
    signJws(SIGNED_TYPES.receipt, { a: 1 }, theirs),
    // An unknown key under a trusted id.
    signJws(SIGNED_TYPES.receipt, { a: 1 }, { ...theirs, jwk: ours.jwk }),
    signJws(SIGNED_TYPES.export, { a: 1 }, ours),
    'no receipt at all',
    '',
  ])
    assert.throws(() => verifyJws(SIGNED_TYPES.receipt, forged, trusted), { name: 'InvalidSignature' }, forged);
  assert.deepEqual(verifyJws(SIGNED_TYPES.receipt, text, trusted).payload, { a: 1 });
  // Signed, but not a receipt.
  assert.throws(() => verifyReceipt(text, trusted), { name: 'VerificationError' });
});

onBothEngines(
  'an export holds every row including withdrawn ones, and its sums match the ledger',
  async (_t, place) => {
    const { engine, storage } = place;
    const entries = await recorded(storage, 1203);
    const doubtful = toRow(entries[700]!);
    await storage.write.transaction().execute((trx) => reconcile(engine, trx, [doubtful]));
    const lines = await exported(storage);
    const found = await check(lines, await trustedOf(storage));
    assert.deepEqual(
      [found.rows, found.fromSeq, found.toSeq, found.requests, found.billedSeconds],
      [1204, 1, 1204, 1203, 1202 * 15],
    );
    const part = await check(await exported(storage, { fromSeq: 400, toSeq: 1100 }));
    assert.deepEqual([part.rows, part.fromSeq, part.toSeq], [701, 400, 1100]);
    await assert.rejects(exported(storage, { fromSeq: 2000 }), { code: 'INVALID_REQUEST' });
  },
);

onBothEngines('an account without requests has an export too', async (_t, { storage }) => {
  assert.equal((await check(await exported(storage))).rows, 0);
});

/** An export of 1203 rows on SQLite. */
const someExport = async (t: TestContext) => {
  const storage = await openStorage(await emptyDatabase(t, 'sqlite'));
  t.after(() => storage.close());
  await recorded(storage, 1203);
  return { storage, lines: await exported(storage), trusted: await trustedOf(storage) };
};

const lineOf = (lines: readonly string[], seq: number): number =>
  lines.findIndex((line) => line.startsWith(`{"seq":${seq},`));
const changed = (line: string, change: (row: ExportedRow) => object): string => {
  const row = JSON.parse(line) as ExportedRow;
  return JSON.stringify({ ...row, ...change(row) });
};

test('a forged, truncated or reordered export is rejected with the affected row', async (t) => {
  const { lines, trusted } = await someExport(t);
  const at = (seq: number) => lineOf(lines, seq);
  const replaced = (seq: number, change: (row: ExportedRow) => object) =>
    lines.with(at(seq), changed(lines[at(seq)]!, change));
  const swapped = (a: number, b: number) => lines.with(at(a), lines[at(b)]!).with(at(b), lines[at(a)]!);
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      'a cheaper row',
      replaced(5, ({ record }) => ({ record: { ...record, billed_audio_seconds: 1 } })),
      /^Row 5 was altered/,
    ],
    [
      'another status',
      replaced(1203, ({ record }) => ({ record: { ...record, status: 'NOT_FOUND' } })),
      /^Row 1203 was altered/,
    ],
    ['another hash', replaced(600, () => ({ hash: 'A'.repeat(43) })), /^Row 600 was altered/],
    ['another place', replaced(600, () => ({ replaces_seq: 3 })), /^Row 600 was altered/],
    ['a row less', lines.toSpliced(at(77), 1), /^Row 77 is missing or out of order/],
    ['the last of a block less', lines.toSpliced(at(500), 1), /^Row 500 is missing/],
    ['the last row less', lines.slice(0, -1), /^Row 1203 is missing/],
    ['cut in the middle', lines.slice(0, at(800)), /^Row 800 is missing/],
    ['cut after a block', lines.slice(0, at(501) - 1), /^Row 501 is missing/],
    ['cut within a line', [...lines.slice(0, at(900)), lines[at(900)]!.slice(0, 40)], /^Row 900 is cut short/],
    ['its beginning cut', lines.slice(1), /its beginning is missing/],
    ['its first block cut', lines.slice(at(501) - 1), /^Row 1 is missing/],
    ['a block less', [...lines.slice(0, at(501) - 1), ...lines.slice(at(1001) - 1)], /^Row 501 is missing/],
    ['a block twice', [...lines.slice(0, at(501) - 1), ...lines], /^Row 501 is out of place/],
    ['two rows swapped', swapped(10, 11), /^Row 10 is missing or out of order/],
    ['far rows swapped', swapped(10, 1010), /^Row 10 is missing or out of order/],
    ['a row twice', lines.toSpliced(at(20), 0, lines[at(20)]!), /^Row 21 is missing or out of order/],
    ['a row added at the end', [...lines, lines[at(3)]!], /^A row was added/],
    ['an empty file', [], /empty/],
    ['another file', ['hello'], /not JSON/],
    ['an error body', ['{"status":"error","error":{"code":"NOT_FOUND"}}'], /^The file is not an export/],
  ];
  for (const [title, forged, said] of cases)
    for (const keys of [trusted, undefined])
      await assert.rejects(check(forged, keys), (thrown) => {
        assert.ok(thrown instanceof VerificationError, title);
        assert.match(thrown.message, said, title);
        return true;
      });
  await check(lines, trusted);
});

test('an export signed by another key is valid only without a trusted key set', async (t) => {
  const { lines, trusted } = await someExport(t);
  const key = unknownKey();
  const resigned = lines.map((line) => {
    const { signed } = JSON.parse(line) as { signed?: string };
    if (signed === undefined) return line;
    return JSON.stringify({
      signed: signJws(SIGNED_TYPES.export, verifyJws(SIGNED_TYPES.export, signed, undefined).payload, key),
    });
  });
  assert.deepEqual((await check(resigned)).keyIds, [keyIdOf(key.jwk)]);
  await assert.rejects(check(resigned, trusted), /signature over the first row .* is not one of the trusted keys/);
});

test('exports of two accounts, or of two moments, cannot be joined', async (t) => {
  const { storage, lines } = await someExport(t);
  await recorded(storage, 1);
  const later = await exported(storage);
  const half = lineOf(lines, 501) - 1;
  await assert.rejects(
    check([...lines.slice(0, half), ...later.slice(half)]),
    /^VerificationError: Row 501 is from another/,
  );
});

onBothEngines(
  'keys are rotated: old receipts stay valid, new ones name the new key',
  async (_t, { options, storage }) => {
    const [first] = await recorded(storage, 1);
    const which = { accountId: 'account-1', requestId: first!.requestId };
    const nodes = await Promise.all([openStorage(options), openStorage(options)]);
    // Two nodes that sign for the first time at once create one key.
    const receipts = await Promise.all(
      nodes.map((node) => issueReceipt({ storage: node, signer: new ReceiptSigner(node) }, which)),
    );
    for (const node of nodes) await node.close();
    const before = await trustedOf(storage);
    assert.equal(before.size, 1);
    const newId = await rotateKey(storage);
    const receipt = await issueReceipt({ storage, signer: new ReceiptSigner(storage) }, which);
    const after = await trustedOf(storage);
    assert.equal(after.size, 2);
    assert.equal(verifyReceipt(receipt, after).keyId, newId);
    for (const old of receipts) assert.ok(before.has(verifyReceipt(old, after).keyId));
    assert.throws(() => verifyReceipt(receipt, before), { name: 'VerificationError' });
    const kept = await storage.write.selectFrom('receipt_keys').select(['id', 'private_d']).execute();
    assert.deepEqual(
      kept.filter(({ private_d }) => private_d !== null).map(({ id }) => id),
      [newId],
      'the private half of a retired key is gone',
    );
  },
);
