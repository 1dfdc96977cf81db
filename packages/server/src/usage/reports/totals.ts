// Totals for invoices, per key and per day or month.
import { PLAYGROUND_KEYS, type UsageTotal } from '@faircopy/contract';
import type { Storage } from '../../storage/open.ts';
import { PLAYGROUND_CREATOR } from '../../storage/playground-keys.ts';
import { csvRow } from './csv.ts';
import { sumUsage } from './sums.ts';

export interface TotalsQuery {
  readonly period: 'day' | 'month';
  /** Absent: all accounts, including closed ones. */
  readonly accountId?: string | undefined;
  readonly fromDay?: string | undefined;
  readonly toDay?: string | undefined;
  readonly tag?: string | undefined;
}

/** Newest period first, then by account and key. All playground keys form one entry. */
export const usageTotals = async (storage: Storage, { period, ...filter }: TotalsQuery): Promise<UsageTotal[]> => {
  const sums = await sumUsage(storage, { ...filter, by: [period, 'account', 'key'] });
  const accounts = await storage.report.selectFrom('accounts').select(['id', 'name']).execute();
  const keys = await storage.report.selectFrom('api_keys').select(['id', 'name', 'created_by']).execute();
  const accountNames = new Map(accounts.map(({ id, name }) => [id, name]));
  const keysById = new Map(keys.map((key) => [key.id, key]));
  const totals = new Map<string, UsageTotal>();
  for (const { group, ...sum } of sums) {
    const key = keysById.get(group.key ?? '');
    const isPlayground = key?.created_by === PLAYGROUND_CREATOR;
    const keyId = isPlayground ? PLAYGROUND_KEYS : (group.key ?? null);
    const accountId = group.account ?? '';
    const totalKey = [group[period], accountId, keyId].join('\n');
    const total = totals.get(totalKey);
    totals.set(totalKey, {
      period: group[period] ?? '',
      account_id: accountId,
      account_name: accountNames.get(accountId) ?? accountId,
      key_id: keyId,
      key_name: isPlayground ? 'Playground' : (key?.name ?? null),
      requests: (total?.requests ?? 0) + sum.requests,
      errors: (total?.errors ?? 0) + sum.errors,
      audio_seconds: (total?.audio_seconds ?? 0) + sum.audioSeconds,
      billed_seconds: (total?.billed_seconds ?? 0) + sum.billedSeconds,
      output_token_count: (total?.output_token_count ?? 0) + sum.outputTokenCount,
    });
  }
  return [...totals.values()].sort(
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
] as const satisfies readonly (keyof UsageTotal)[];

export const totalsCsv = (totals: readonly UsageTotal[]): string =>
  [csvRow(COLUMNS), ...totals.map((total) => csvRow(COLUMNS.map((column) => total[column])))].join('');
