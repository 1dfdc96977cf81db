// Signed receipts and exports of the usage ledger.
import { z } from 'zod';
import { requestId } from '../values/ids.ts';

/** The `typ` in the protected header of a JWS. It keeps one kind of signature from being used as another. */
export const SIGNED_TYPES = { receipt: 'faircopy-receipt', export: 'faircopy-export' } as const;

const hash = z.string().regex(/^[\w-]{43}$/);
const amount = z.number().min(0);

/** Strings are not enums here, so that receipts of later releases can be verified too. */
export const receiptRecord = z
  .object({
    request_id: requestId,
    key_id: z.string().nullable(),
    mode: z.string(),
    model: z.string().nullable(),
    status: z.string(),
    audio_seconds: amount,
    billed_audio_seconds: amount,
    output_token_count: amount.int(),
    detected_language: z.string().nullable(),
    receive_ms: amount.nullable(),
    recognition_ms: amount.nullable(),
    refinement_ms: amount.nullable(),
    refinement_fallback: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ReceiptRecord' });
export type ReceiptRecord = z.infer<typeof receiptRecord>;

const link = z.object({
  /** The position in the account's chain, from 1; 0 for rows older than the chain. */
  seq: z.number().int().min(0),
  hash: hash.nullable(),
  replaces_seq: z.number().int().min(1).nullable(),
});

export const receipt = z
  .object({
    iat: z.number().meta({ description: 'When it was signed, in seconds since 1970.' }),
    account_id: z.string(),
    record: receiptRecord,
    link: link.extend({
      previous_hash: hash
        .nullable()
        .meta({ description: 'The hash of the previous link; null for a row without a link.' }),
    }),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.infer<typeof receipt>;

/** A line of an export that holds a row. */
export const exportedRow = link.extend({ hash, record: receiptRecord });
export type ExportedRow = z.infer<typeof exportedRow>;

/** Precedes each block of rows, signed: a summary of the export and the hashes of the rows in the block. */
export const exportBlock = z.object({
  account_id: z.string(),
  exported_at: z.iso.datetime(),
  /** The first and last link of the export; both 0 when it has none. */
  from_seq: z.number().int().min(0),
  to_seq: z.number().int().min(0),
  /** Rows before the chain that its first link seals; 0 when they are not part of the export. */
  sealed_rows: z.number().int().min(0),
  /** The hash of the link before this export. */
  previous_hash: hash,
  /** The number of rows before this block. */
  rows_before: z.number().int().min(0),
  hashes: z.array(hash),
});
export type ExportBlock = z.infer<typeof exportBlock>;

/** A line of an export that holds a signature: a JWS in compact form over an ExportBlock. */
export const exportedSignature = z.object({ signed: z.string() });

export const publicKey = z
  .object({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: z.string().regex(/^[\w-]{43}$/),
    kid: z.string().meta({ description: 'The thumbprint of the key (RFC 7638).' }),
    alg: z.literal('EdDSA'),
    use: z.literal('sig'),
  })
  .meta({ id: 'PublicKey' });
export type PublicKey = z.infer<typeof publicKey>;
export const publicKeySet = z.object({ keys: z.array(publicKey) }).meta({ id: 'PublicKeySet' });
export type PublicKeySet = z.infer<typeof publicKeySet>;
