// The files of an archive: one folder per account, one export per run, compressed.
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import type { TrustedKeys } from '../receipts/jws.ts';
import { type BilledLinks, VerificationError, type VerifiedExport, verifyExport } from '../receipts/verify.ts';

const DIGITS = 15;
const numbered = (seq: number): string => String(seq).padStart(DIGITS, '0');

export const partPath = (folder: string, accountId: string, fromSeq: number, toSeq: number): string =>
  join(folder, accountId, `${numbered(fromSeq)}-${numbered(toSeq)}.jsonl.gz`);

/** Durable when it resolves, even after a power cut. Replaces a part that begins at the same row. */
export const writePart = async (path: string, lines: AsyncIterable<string>): Promise<void> => {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const begins = path.slice(folder.length + 1).split('-')[0]!;
  for (const name of await readdir(folder)) if (name.startsWith(begins)) await rm(join(folder, name));
  const unfinished = `${path}.unfinished`;
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  await pipeline(lines, gzip, createWriteStream(unfinished, { mode: 0o600, flush: true }));
  await rename(unfinished, path);
  const entries = await open(folder, 'r');
  await entries.sync().finally(() => entries.close());
};

/** The lines of a text file, which may be compressed. */
export async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  const file = createReadStream(path);
  await once(file, 'open');
  const text = path.endsWith('.gz') ? createGunzip() : file;
  if (text !== file) void pipeline(file, text as ReturnType<typeof createGunzip>).catch(() => {});
  let rest = '';
  for await (const chunk of text.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

export interface VerifiedArchive {
  readonly keyIds: readonly string[];
  readonly accounts: number;
  readonly files: number;
  readonly rows: number;
  readonly requests: number;
  readonly billedSeconds: number;
}

/** Verifies every part, and that the parts of an account are contiguous from its first row. */
export const verifyArchive = async (folder: string, trusted: TrustedKeys): Promise<VerifiedArchive> => {
  const keyIds = new Set<string>();
  const sum = { accounts: 0, files: 0, rows: 0, requests: 0, billedSeconds: 0 };
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    sum.accounts += 1;
    let last: VerifiedExport | undefined;
    const billed: BilledLinks = new Map();
    for (const name of (await readdir(join(folder, entry.name))).filter((file) => file.endsWith('.jsonl.gz')).sort()) {
      const part = await verifyPart(join(folder, entry.name, name), trusted, billed);
      if (part.accountId !== entry.name)
        throw new VerificationError(`${name} belongs to another account: ${part.accountId}.`);
      checkOrder(name, part, last);
      for (const id of part.keyIds) keyIds.add(id);
      sum.files += 1;
      sum.rows += part.rows;
      sum.requests += part.requests;
      sum.billedSeconds += part.billedSeconds;
      last = part;
    }
  }
  if (sum.files === 0) throw new VerificationError('The folder has no parts of an archive.');
  return { keyIds: [...keyIds], ...sum };
};

export const verifyPart = async (path: string, trusted: TrustedKeys, billed?: BilledLinks): Promise<VerifiedExport> => {
  try {
    return await verifyExport(linesOf(path), trusted, billed);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? '';
    const isDamaged = thrown instanceof VerificationError || code.startsWith('Z_');
    if (!isDamaged) throw thrown;
    throw new VerificationError(`${path}: ${(thrown as Error).message}`);
  }
};

const checkOrder = (name: string, part: VerifiedExport, last: VerifiedExport | undefined): void => {
  const expected = (last?.toSeq ?? 0) + 1;
  const account = `account ${part.accountId}`;
  if (part.fromSeq > expected)
    throw new VerificationError(`Rows ${expected} to ${part.fromSeq - 1} of ${account} are missing before ${name}.`);
  if (part.fromSeq < expected) throw new VerificationError(`${name} repeats rows of ${account}.`);
  if (last && part.previousHash !== last.lastHash)
    throw new VerificationError(`${name} does not continue the chain of ${account}.`);
};
