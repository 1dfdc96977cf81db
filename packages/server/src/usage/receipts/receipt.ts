// Issues the signed receipt of one request.
import { type Receipt, SIGNED_TYPES } from '@faircopy/contract';
import { Fault } from '../../lib/fault.ts';
import type { Storage } from '../../storage/open.ts';
import { hashedValues } from '../../storage/usage-hash.ts';
import { chainEnd, chainPoint } from '../chain/read.ts';
import { recordOf } from './record.ts';
import type { ReceiptSigner } from './signing-keys.ts';

export interface ReceiptPorts {
  readonly storage: Storage;
  readonly signer: ReceiptSigner;
}

/** Throws NOT_FOUND for requests of other accounts, and for archived ones: the link before may be gone. */
export const issueReceipt = async (
  { storage, signer }: ReceiptPorts,
  { accountId, requestId }: { readonly accountId: string; readonly requestId: string },
): Promise<string> => {
  const row = await storage.read
    .selectFrom('usage_records')
    .selectAll()
    .where('request_id', '=', requestId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const seq = row?.chain_seq ?? 0;
  if (!row || (seq > 0 && seq <= (await chainEnd(storage.read, accountId)).archivedSeq))
    throw new Fault('NOT_FOUND', { message: 'The account has no request with this id.' });
  const previous = seq > 0 ? await chainPoint(storage.read, accountId, seq - 1) : null;
  const receipt: Receipt = {
    iat: Math.floor(Date.now() / 1000),
    account_id: accountId,
    record: recordOf(hashedValues(row)),
    link: {
      seq,
      hash: seq > 0 ? row.chain_hash : null,
      replaces_seq: row.replaces_seq,
      previous_hash: previous?.hash ?? null,
    },
  };
  return signer.sign(SIGNED_TYPES.receipt, receipt);
};
