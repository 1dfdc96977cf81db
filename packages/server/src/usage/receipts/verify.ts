// Verifies receipts and exports offline, without the server or its database.
import {
  type ExportBlock,
  type ExportedRow,
  exportBlock,
  exportedRow,
  exportedSignature,
  type Receipt,
  receipt,
  SIGNED_TYPES,
} from '@faircopy/contract';
import type { z } from 'zod';
import { PreChainDigest } from '../../storage/usage-hash.ts';
import { linkHash } from '../chain/link.ts';
import { sealedRowHash } from './export.ts';
import { InvalidSignature, type TrustedKeys, verifyJws } from './jws.ts';
import { valuesOf } from './record.ts';

/** The message is a full sentence that names the affected row. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
}

export interface VerifiedReceipt {
  readonly keyId: string;
  readonly receipt: Receipt;
}

export const verifyReceipt = (text: string, trusted: TrustedKeys): VerifiedReceipt => {
  const { keyId, payload } = checkSignature(SIGNED_TYPES.receipt, text, trusted, 'The receipt is not valid');
  const found = checkShape(receipt, payload, 'The signed content is not a receipt');
  const { link, record, account_id: accountId } = found;
  if (link.hash !== null) {
    const place = { accountId, seq: link.seq, previousHash: link.previous_hash ?? '', replacesSeq: link.replaces_seq };
    if (linkHash(place, valuesOf(record)) !== link.hash)
      throw new VerificationError(
        `The receipt is signed, but its link ${link.seq} does not match request ${record.request_id}.`,
      );
  }
  return { keyId, receipt: found };
};

export interface VerifiedReceipts {
  readonly keyIds: readonly string[];
  readonly receipts: number;
  readonly billedSeconds: number;
}

/** Several receipts, one per line. A request counts once. */
export const verifyReceipts = async (
  lines: AsyncIterable<string>,
  trusted: TrustedKeys,
): Promise<VerifiedReceipt | VerifiedReceipts> => {
  const keyIds = new Set<string>();
  const billedMs = new Map<string, number>();
  let first: VerifiedReceipt | undefined;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const one = verifyReceipt(line.trim(), trusted);
    first ??= one;
    keyIds.add(one.keyId);
    const { request_id: requestId, billed_audio_seconds: seconds } = one.receipt.record;
    billedMs.set(requestId, Math.round(seconds * 1_000));
  }
  if (first && billedMs.size === 1) return first;
  const billedSeconds = [...billedMs.values()].reduce((sum, ms) => sum + ms, 0) / 1_000;
  return { keyIds: [...keyIds], receipts: billedMs.size, billedSeconds };
};

const checkSignature = (typ: string, text: string, trusted: TrustedKeys, failure: string) => {
  try {
    return verifyJws(typ, text, trusted);
  } catch (thrown) {
    if (thrown instanceof InvalidSignature) throw new VerificationError(`${failure}: ${thrown.message}.`);
    throw thrown;
  }
};

const checkShape = <T>(schema: z.ZodType<T>, value: unknown, failure: string): T => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new VerificationError(
    `${failure}: ${issue?.path.join('.') || 'it'} ${issue?.message ?? 'has a different shape'}.`,
  );
};

export interface VerifiedExport {
  readonly keyIds: readonly string[];
  readonly accountId: string;
  readonly exportedAt: string;
  readonly fromSeq: number;
  readonly toSeq: number;
  /** The hashes of the link before the export and of its last one. */
  readonly previousHash: string;
  readonly lastHash: string;
  readonly rows: number;
  /** Without rows that were withdrawn later in the export. */
  readonly requests: number;
  readonly billedSeconds: number;
}

/** Billed milliseconds by link. */
export type BilledLinks = Map<number, number>;

/** `billed`: the links of earlier exports, whose rows may be withdrawn in this one. The links of this one are added. */
export const verifyExport = async (
  lines: AsyncIterable<string>,
  trusted: TrustedKeys,
  billed: BilledLinks = new Map(),
): Promise<VerifiedExport> => {
  const verifier = new ExportVerifier(trusted, billed);
  for await (const line of lines) if (line.trim() !== '') verifier.line(line);
  return verifier.end();
};

class ExportVerifier {
  readonly #trusted: TrustedKeys;
  readonly #keyIds = new Set<string>();
  /** Subtracted if a later row replaces the link. */
  readonly #billedMs: BilledLinks;
  #block: ExportBlock | undefined;
  #preChain: PreChainDigest | undefined;
  #previousHash = '';
  #lines = 0;
  #rows = 0;
  #rowsOfBlock = 0;
  #requests = 0;
  #billed = 0;

  constructor(trusted: TrustedKeys, billed: BilledLinks) {
    this.#trusted = trusted;
    this.#billedMs = billed;
  }

  line(text: string): void {
    this.#lines += 1;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new VerificationError(`${this.#place()} is cut short or damaged: line ${this.#lines} is not JSON.`);
    }
    const damaged = `${this.#place()} is damaged at line ${this.#lines}`;
    // Nearly all lines are rows; parsing each as a signature first would take longer than hashing it.
    if (typeof value === 'object' && value !== null && 'signed' in value)
      this.#startBlock(checkShape(exportedSignature, value, damaged).signed);
    else if (this.#block === undefined)
      throw new VerificationError('The file is not an export, or its beginning is missing: line 1 is not signed.');
    else this.#row(this.#block, checkShape(exportedRow, value, damaged));
  }

  end(): VerifiedExport {
    const block = this.#block;
    if (block === undefined) throw new VerificationError('The file is empty or not an export.');
    this.#endBlock();
    const missing = this.#expectedRows(block) - this.#rows;
    if (missing > 0)
      throw new VerificationError(`${this.#place()} is missing: the file ends ${missing} rows too early.`);
    return {
      keyIds: [...this.#keyIds],
      accountId: block.account_id,
      exportedAt: block.exported_at,
      fromSeq: block.from_seq,
      toSeq: block.to_seq,
      previousHash: block.previous_hash,
      lastHash: this.#previousHash,
      rows: this.#rows,
      requests: this.#requests,
      billedSeconds: this.#billed / 1000,
    };
  }

  #startBlock(jws: string): void {
    const { keyId, payload } = checkSignature(
      SIGNED_TYPES.export,
      jws,
      this.#trusted,
      `The signature over ${this.#name()} and the rows after it (line ${this.#lines}) is not valid`,
    );
    const block = checkShape(exportBlock, payload, `Line ${this.#lines} is signed, but not part of an export`);
    this.#keyIds.add(keyId);
    const first = this.#block;
    if (first === undefined) {
      this.#preChain = block.sealed_rows > 0 ? new PreChainDigest(block.account_id) : undefined;
      this.#previousHash = block.previous_hash;
      this.#block = block;
    } else {
      this.#endBlock();
      if (headText(first) !== headText(block)) throw new VerificationError(`${this.#place()} is from another export.`);
    }
    if (block.rows_before !== this.#rows)
      throw new VerificationError(
        block.rows_before > this.#rows
          ? `${this.#place()} is missing: line ${this.#lines} continues after ${block.rows_before} rows.`
          : `${this.#place()} is out of place: line ${this.#lines} repeats earlier rows.`,
      );
    this.#block = block;
    this.#rowsOfBlock = 0;
  }

  #endBlock(): void {
    const missing = (this.#block?.hashes.length ?? 0) - this.#rowsOfBlock;
    if (missing > 0) throw new VerificationError(`${this.#place()} is missing, and ${missing - 1} rows after it.`);
  }

  #row(block: ExportBlock, row: ExportedRow): void {
    const signedHash = block.hashes[this.#rowsOfBlock];
    const where = `line ${this.#lines} has row ${row.seq} (request ${row.record.request_id})`;
    if (signedHash === undefined) throw new VerificationError(`A row was added: ${where}, which is not signed.`);
    const seq = this.#seq();
    if (row.seq !== seq)
      throw new VerificationError(`${this.#place()} is missing or out of order: ${where} in its place.`);
    const values = valuesOf(row.record);
    const place = { accountId: block.account_id, seq, previousHash: this.#previousHash, replacesSeq: row.replaces_seq };
    const hash = seq === 0 ? sealedRowHash(block.account_id, values) : linkHash(place, values);
    if (hash !== signedHash || row.hash !== signedHash)
      throw new VerificationError(
        `${this.#place()} was altered or replaced: ${where}, whose hash is not the signed one.`,
      );
    this.#rows += 1;
    this.#rowsOfBlock += 1;
    if (seq > 0) this.#previousHash = signedHash;
    else this.#addPreChain(block, values);
    this.#count(row, values[6] as number);
  }

  #addPreChain(block: ExportBlock, values: ReturnType<typeof valuesOf>): void {
    this.#preChain!.add(values);
    if (this.#rows === block.sealed_rows && this.#preChain!.hash() !== block.previous_hash)
      throw new VerificationError(`The rows up to line ${this.#lines} do not match the first link of the chain.`);
  }

  #count(row: ExportedRow, billedMs: number): void {
    this.#requests += 1;
    this.#billed += billedMs;
    if (billedMs > 0) this.#billedMs.set(row.seq, billedMs);
    if (row.replaces_seq === null) return;
    this.#requests -= 1;
    this.#billed -= this.#billedMs.get(row.replaces_seq) ?? 0;
  }

  #expectedRows({ sealed_rows, from_seq, to_seq }: ExportBlock): number {
    return sealed_rows + (from_seq === 0 ? 0 : to_seq - from_seq + 1);
  }

  /** The expected link of the next row. */
  #seq(): number {
    const block = this.#block;
    if (block === undefined || this.#rows < block.sealed_rows) return 0;
    return block.from_seq + this.#rows - block.sealed_rows;
  }

  #name(): string {
    if (this.#block === undefined) return 'the first row';
    const seq = this.#seq();
    return seq > 0 ? `row ${seq}` : `row ${this.#rows + 1} of those before the chain`;
  }

  /** The expected next row, as the start of a sentence. */
  #place(): string {
    const name = this.#name();
    return `${name[0]!.toUpperCase()}${name.slice(1)}`;
  }
}

const headText = ({ rows_before: _, hashes: __, ...head }: ExportBlock): string => JSON.stringify(head);
