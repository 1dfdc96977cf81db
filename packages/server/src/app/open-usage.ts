// Opens the ledger, budgets, receipts and stream slots.
import { makeComingPartitions, PARTITIONS_EVERY_MS } from '../usage/archive/partitions.ts';
import { budgetNotifier } from '../usage/budgets/notify.ts';
import { LINK_EVERY_MS, linkUnchained } from '../usage/chain/unchained-rows.ts';
import { LedgerMeter } from '../usage/ledger/ledger-meter.ts';
import { PostgresUpkeep } from '../usage/postgres-upkeep.ts';
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
  const onBudget = budgetNotifier({ log, metrics, webhook: openBudgetWebhook(base, signer) });
  const meter = lifecycle.own('meter', new LedgerMeter(storage, { onBudget }));
  const linking = {
    everyMs: LINK_EVERY_MS,
    run: linkUnchained,
    onFailure: (err: unknown) => log.warn({ err }, 'usage rows of an older release could not be linked yet'),
  };
  lifecycle.own('unchained rows', new PostgresUpkeep(storage, linking));
  const partitioning = {
    everyMs: PARTITIONS_EVERY_MS,
    run: makeComingPartitions,
    onFailure: (err: unknown) => log.warn({ err }, 'a partition for usage rows could not be created yet'),
  };
  lifecycle.own('usage partitions', new PostgresUpkeep(storage, partitioning));
  return { meter, signer, slots: lifecycle.own('stream slots', await LeaseSlots.open({ storage, node })) };
};
