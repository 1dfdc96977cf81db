import assert from 'node:assert/strict';
import test from 'node:test';
import { DEFAULT_LIMITS } from '../../accounts/testing/limits.ts';
import type { Fault } from '../../lib/fault.ts';
import { type OpenFile, OpenFiles } from './open-files.ts';

class FakeFile implements OpenFile {
  readonly ageMs = 1_000;
  reason: Fault | undefined;
  readonly accountId: string;
  readonly uploadBytesPerSecond: number;

  constructor(accountId: string, uploadBytesPerSecond: number) {
    this.accountId = accountId;
    this.uploadBytesPerSecond = uploadBytesPerSecond;
  }

  stop(reason: Fault): void {
    this.reason = reason;
  }
}

const FILES_MAX = 8;

/** Opens one file like a call does. */
const open = (files: OpenFiles, accountId: string, bytesPerSecond = 1_000): FakeFile => {
  files.makeRoom({ accountId, limits: DEFAULT_LIMITS });
  const file = new FakeFile(accountId, bytesPerSecond);
  files.add(file);
  return file;
};

test('a full server stops the slowest upload of the account with the most files to admit another account', () => {
  const files = new OpenFiles(FILES_MAX);
  const greedy = Array.from({ length: 6 }, (_, nth) => open(files, 'greedy', 2_000 + nth));
  const modest = Array.from({ length: 2 }, () => open(files, 'modest', 10));
  const neighbour = open(files, 'neighbour');
  assert.deepEqual(
    [...greedy, ...modest].filter(({ reason }) => reason !== undefined),
    [greedy[0]],
  );
  assert.deepEqual([greedy[0]?.reason?.code, neighbour.reason], ['SERVICE_UNAVAILABLE', undefined]);
  assert.ok((greedy[0]?.reason?.retryAfterSeconds ?? 0) > 0);
  assert.equal([...files].length, FILES_MAX);
});

test('the account with the most files gets no more, and shares stay even', () => {
  const files = new OpenFiles(FILES_MAX);
  for (let nth = 0; nth < 4; nth++) for (const account of ['a', 'b']) open(files, account);
  assert.throws(() => open(files, 'a'), { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
  for (const account of ['c', 'c', 'd', 'd']) open(files, account);
  const shares = ['a', 'b', 'c', 'd'].map((id) => [...files].filter(({ accountId }) => accountId === id).length);
  assert.deepEqual(shares, [2, 2, 2, 2]);
});

test('a file that has arrived is not stopped, and an ended one makes room', () => {
  const files = new OpenFiles(FILES_MAX);
  const arrived = Array.from({ length: FILES_MAX }, () => open(files, 'a', Number.POSITIVE_INFINITY));
  assert.throws(() => open(files, 'b'), { code: 'SERVICE_UNAVAILABLE' });
  files.delete(arrived[0]!);
  // Deleting it again changes nothing.
  files.delete(arrived[0]!);
  open(files, 'b');
  assert.throws(() => open(files, 'c'), { code: 'SERVICE_UNAVAILABLE' });
});
