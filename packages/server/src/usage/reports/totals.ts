// Totals for invoices, per key and per day or month.
import { PLAYGROUND_KEYS, type Prices, type UsageTotal } from '@faircopy/contract';
import type { Storage } from '../../storage/open.ts';
import { PLAYGROUND_CREATOR } from '../../storage/playground-keys.ts';
import { csvRow } from './csv.ts';
import { addSums, type PricedSum, priceUsage } from './sums.ts';

export interface TotalsQuery {
  readonly period: 'day' | 'month';
  /** Absent: all accounts, including closed ones. */
  readonly accountId?: string | undefined;
  readonly fromDay?: string | undefined;
  readonly toDay?: string | undefined;
  readonly tag?: string | undefined;
}

/** Newest period first, then by account and key. All playground keys form one entry. */
export const usageTotals = async (
  storage: Storage,
  { period, ...filter }: TotalsQuery,
  prices: Prices | null = null,
): Promise<UsageTotal[]> => {
  const sums = await priceUsage(storage, { ...filter, by: [period, 'account', 'key'] }, prices);
  const accounts = await storage.report.selectFrom('accounts').select(['id', 'name']).execute();
  const keys = await storage.report.selectFrom('api_keys').select(['id', 'name', 'created_by']).execute();
  const accountNames = new Map(accounts.map(({ id, name }) => [id, name]));
  const keysById = new Map(keys.map((key) => [key.id, key]));
  const isPlayground = (keyId: string | null | undefined) =>
    keysById.get(keyId ?? '')?.created_by === PLAYGROUND_CREATOR;
  const entries = new Map<string, PricedSum[]>();
  for (const sum of sums) {
    const { group } = sum;
    const entry = [group[period], group.account, isPlayground(group.key) ? PLAYGROUND_KEYS : group.key].join('\n');
    entries.set(entry, [...(entries.get(entry) ?? []), sum]);
  }
  const totals = [...entries.values()].map((ofEntry): UsageTotal => {
    const { group, ...sum } = addSums(ofEntry);
    const accountId = group.account ?? '';
    return {
      period: group[period] ?? '',
      account_id: accountId,
      account_name: accountNames.get(accountId) ?? accountId,
      key_id: isPlayground(group.key) ? PLAYGROUND_KEYS : (group.key ?? null),
      key_name: isPlayground(group.key) ? 'Playground' : (keysById.get(group.key ?? '')?.name ?? null),
      requests: sum.requests,
      errors: sum.errors,
      audio_seconds: sum.audioSeconds,
      failed_audio_seconds: sum.failedAudioSeconds,
      billed_seconds: sum.billedSeconds,
      output_token_count: sum.outputTokenCount,
      cost: sum.cost,
    };
  });
  return totals.sort(
    (a, b) =>
      b.period.localeCompare(a.period) ||
      a.account_name.localeCompare(b.account_name) ||
      (a.key_name ?? '').localeCompare(b.key_name ?? ''),
  );
};

const COLUMNS = [
  'period',
  'account_id',
  'account_name',
  'key_id',
  'key_name',
  'requests',
  'errors',
  'audio_seconds',
  'billed_seconds',
  'output_token_count',
  'failed_audio_seconds',
  'cost',
] as const satisfies readonly (keyof UsageTotal)[];

export const totalsCsv = (totals: readonly UsageTotal[]): string =>
  [csvRow(COLUMNS), ...totals.map((total) => csvRow(COLUMNS.map((column) => total[column])))].join('');
