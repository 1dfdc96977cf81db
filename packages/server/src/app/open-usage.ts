// Opens the ledger, budgets, receipts and stream slots.
import { PartitionKeeper } from '../usage/archive/partitions.ts';
import { budgetNotifier } from '../usage/budgets/notify.ts';
import { UnchainedRowLinker } from '../usage/chain/unchained-rows.ts';
import { LedgerMeter } from '../usage/ledger/ledger-meter.ts';
import { ReceiptSigner } from '../usage/receipts/signing-keys.ts';
import { LeaseSlots } from '../usage/stream-slots/lease-slots.ts';
import { openBudgetWebhook } from './open-budget-webhook.ts';
import type { Database } from './open-database.ts';
import type { Base } from './open-observability.ts';

export interface Usage {
  readonly meter: LedgerMeter;
  readonly slots: LeaseSlots;
  /** Signs receipts, exports and webhooks. */
  readonly signer: ReceiptSigner;
}

export const openUsage = async (base: Base, { storage, node }: Database): Promise<Usage> => {
  const { lifecycle, log, metrics } = base;
  const signer = new ReceiptSigner(storage);
  const webhook = openBudgetWebhook(base, signer);
  const onBudget = budgetNotifier({ log, metrics, webhook: (event) => webhook?.send(event) });
  const meter = lifecycle.own('meter', new LedgerMeter(storage, { onBudget }));
  const onFailure = (err: unknown) => log.warn({ err }, 'usage rows of an older release are not in the hash chain yet');
  lifecycle.own('unchained rows', new UnchainedRowLinker(storage, onFailure));
  lifecycle.own(
    'usage partitions',
    new PartitionKeeper(storage, (err) => log.warn({ err }, 'a partition for usage rows could not be made yet')),
  );
  return { meter, signer, slots: lifecycle.own('stream slots', await LeaseSlots.open({ storage, node })) };
};
