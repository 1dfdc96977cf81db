// Checks receipts and exports without the server or its database: against a set of keys, and against themselves.
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
import { NotSigned, openJws, type TrustedKeys } from './jws.ts';
import { valuesOf } from './record.ts';

/** What is wrong with a file: one sentence that names the row at fault. */
export class NotGenuine extends Error {
  override readonly name = 'NotGenuine';
}

export interface VerifiedReceipt {
  readonly keyId: string;
  readonly receipt: Receipt;
}

export const verifyReceipt = (text: string, trusted: TrustedKeys): VerifiedReceipt => {
  const { keyId, payload } = opened(SIGNED_TYPES.receipt, text, trusted, 'The receipt cannot be believed');
  const found = shaped(receipt, payload, 'The receipt is signed, but it is not one');
  const { link, record, account_id: accountId } = found;
  if (link.hash !== null) {
    const place = { accountId, seq: link.seq, previousHash: link.previous_hash ?? '', replacesSeq: link.replaces_seq };
    if (linkHash(place, valuesOf(record)) !== link.hash)
      throw new NotGenuine(
        `The receipt is signed, but its link ${link.seq} is not that of request ${record.request_id}.`,
      );
  }
  return { keyId, receipt: found };
};

const opened = (typ: string, text: string, trusted: TrustedKeys, fails: string) => {
  try {
    return openJws(typ, text, trusted);
  } catch (thrown) {
    if (thrown instanceof NotSigned) throw new NotGenuine(`${fails}: ${thrown.message}.`);
    throw thrown;
  }
};

const shaped = <T>(schema: z.ZodType<T>, value: unknown, fails: string): T => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new NotGenuine(`${fails}: ${issue?.path.join('.') || 'it'} ${issue?.message ?? 'has another shape'}.`);
};

export interface VerifiedExport {
  readonly keyIds: readonly string[];
  readonly accountId: string;
  readonly exportedAt: string;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly rows: number;
  /** Of the rows that were not withdrawn later in the export. */
  readonly requests: number;
  readonly billedSeconds: number;
}

export const verifyExport = async (lines: AsyncIterable<string>, trusted: TrustedKeys): Promise<VerifiedExport> => {
  const check = new ExportCheck(trusted);
  for await (const line of lines) if (line.trim() !== '') check.line(line);
  return check.end();
};

class ExportCheck {
  readonly #trusted: TrustedKeys;
  readonly #keyIds = new Set<string>();
  /** What was billed for each link that may still be withdrawn; only links that stand for others are looked up. */
  readonly #billedMs = new Map<number, number>();
  #block: ExportBlock | undefined;
  #seal: PreChainDigest | undefined;
  #previousHash = '';
  #lines = 0;
  #rows = 0;
  #rowsOfBlock = 0;
  #requests = 0;
  #billed = 0;

  constructor(trusted: TrustedKeys) {
    this.#trusted = trusted;
  }

  line(text: string): void {
    this.#lines += 1;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new NotGenuine(`${this.#place()} is cut short or damaged: line ${this.#lines} is not JSON.`);
    }
    if (exportedSignature.safeParse(value).success) this.#open(exportedSignature.parse(value).signed);
    else this.#row(shaped(exportedRow, value, `${this.#place()} is damaged at line ${this.#lines}`));
  }

  end(): VerifiedExport {
    const block = this.#block;
    if (block === undefined) throw new NotGenuine('The file is empty, or no export.');
    this.#endBlock();
    const missing = this.#expectedRows(block) - this.#rows;
    if (missing > 0) throw new NotGenuine(`${this.#place()} is missing: the file ends ${missing} rows too early.`);
    return {
      keyIds: [...this.#keyIds],
      accountId: block.account_id,
      exportedAt: block.exported_at,
      fromSeq: block.from_seq,
      toSeq: block.to_seq,
      rows: this.#rows,
      requests: this.#requests,
      billedSeconds: this.#billed / 1000,
    };
  }

  #open(jws: string): void {
    const { keyId, payload } = opened(
      SIGNED_TYPES.export,
      jws,
      this.#trusted,
      `The signature over ${this.#name()} and those after it (line ${this.#lines}) cannot be believed`,
    );
    const block = shaped(exportBlock, payload, `Line ${this.#lines} is signed, but no part of an export`);
    this.#keyIds.add(keyId);
    const first = this.#block;
    if (first === undefined) {
      this.#seal = block.sealed_rows > 0 ? new PreChainDigest(block.account_id) : undefined;
      this.#previousHash = block.previous_hash;
      this.#block = block;
    } else {
      this.#endBlock();
      if (headText(first) !== headText(block)) throw new NotGenuine(`${this.#place()} is from another export.`);
    }
    if (block.rows_before !== this.#rows)
      throw new NotGenuine(
        block.rows_before > this.#rows
          ? `${this.#place()} is missing: line ${this.#lines} goes on after ${block.rows_before} rows.`
          : `${this.#place()} is not where it belongs: line ${this.#lines} repeats what was before it.`,
      );
    this.#block = block;
    this.#rowsOfBlock = 0;
  }

  #endBlock(): void {
    const missing = (this.#block?.hashes.length ?? 0) - this.#rowsOfBlock;
    if (missing > 0) throw new NotGenuine(`${this.#place()} is missing, with ${missing - 1} after it.`);
  }

  #row(row: ExportedRow): void {
    const block = this.#block;
    if (block === undefined)
      throw new NotGenuine('The file does not begin with a signature: its beginning is missing.');
    const signedHash = block.hashes[this.#rowsOfBlock];
    const where = `line ${this.#lines} has row ${row.seq} (request ${row.record.request_id})`;
    if (signedHash === undefined) throw new NotGenuine(`${where}, which is not signed: it was added.`);
    const seq = this.#seq();
    if (row.seq !== seq) throw new NotGenuine(`${this.#place()} is missing or out of order: ${where} in its place.`);
    const values = valuesOf(row.record);
    const place = { accountId: block.account_id, seq, previousHash: this.#previousHash, replacesSeq: row.replaces_seq };
    const hash = seq === 0 ? sealedRowHash(block.account_id, values) : linkHash(place, values);
    if (hash !== signedHash || row.hash !== signedHash)
      throw new NotGenuine(`${this.#place()} was altered or exchanged: ${where}, and its hash is not the signed one.`);
    this.#rows += 1;
    this.#rowsOfBlock += 1;
    if (seq > 0) this.#previousHash = signedHash;
    else this.#addSealed(block, values);
    this.#count(row, values[6] as number);
  }

  #addSealed(block: ExportBlock, values: ReturnType<typeof valuesOf>): void {
    this.#seal!.add(values);
    if (this.#rows === block.sealed_rows && this.#seal!.hash() !== block.previous_hash)
      throw new NotGenuine(`The rows up to line ${this.#lines} are not those that the first link of the chain seals.`);
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

  /** The link that the next row should have. */
  #seq(): number {
    const block = this.#block;
    if (block === undefined || this.#rows < block.sealed_rows) return 0;
    return block.from_seq + this.#rows - block.sealed_rows;
  }

  #name(): string {
    if (this.#block === undefined) return 'the first row';
    const seq = this.#seq();
    return seq > 0 ? `row ${seq}` : `the ${this.#rows + 1}. of the rows that are older than the chain`;
  }

  /** The row that should come next, at the beginning of a sentence. */
  #place(): string {
    const name = this.#name();
    return `${name[0]!.toUpperCase()}${name.slice(1)}`;
  }
}

const headText = ({ rows_before: _, hashes: __, ...head }: ExportBlock): string => JSON.stringify(head);
