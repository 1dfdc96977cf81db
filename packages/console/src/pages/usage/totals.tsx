// Totals by month or day, account and key, with an export for invoices.
import type { Prices, UsageTotal } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api, type TotalsScope } from '../../api/api.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Choice } from '../../components/field.tsx';
import { Empty, Show } from '../../components/states.tsx';
import { alignedPrice, alignedSeconds, count } from '../../format.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useSession } from '../../session.ts';
import { startOf } from './days.ts';

const PERIODS = [
  ['month', 'By month'],
  ['day', 'By day'],
] as const;
type PeriodKind = (typeof PERIODS)[number][0];

/** Twelve calendar months including this one, or 31 days. */
const sinceOf = (period: PeriodKind, now = new Date()): string =>
  period === 'day' ? startOf(31) : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1)).toISOString();

const ACCOUNT: Column<UsageTotal> = {
  title: 'Account',
  class: 'name',
  cell: ({ account_name }) => <bdi>{account_name}</bdi>,
};

const columnsFor = (scope: TotalsScope, prices: Prices | null): Column<UsageTotal>[] => [
  { title: 'Period (UTC)', isRowHeader: true, cell: ({ period }) => period },
  ...(scope === 'server' ? [ACCOUNT] : []),
  { title: 'Key', class: 'name', cell: ({ key_name, key_id }) => <bdi>{key_name ?? key_id ?? 'no key'}</bdi> },
  { title: 'Requests', class: 'number', cell: ({ requests }) => count(requests) },
  { title: 'Errors', class: 'number', cell: ({ errors }) => count(errors) },
  {
    title: 'Audio (s)',
    class: 'number',
    cell: ({ audio_seconds, failed_audio_seconds }) => alignedSeconds(audio_seconds - failed_audio_seconds),
  },
  {
    title: 'Failed audio (s)',
    class: 'number',
    cell: ({ failed_audio_seconds }) => alignedSeconds(failed_audio_seconds),
  },
  { title: 'Billed (s)', class: 'number', cell: ({ billed_seconds }) => alignedSeconds(billed_seconds) },
  ...(prices
    ? [{ title: 'Cost', class: 'number', cell: ({ cost }: UsageTotal) => alignedPrice(cost ?? 0, prices.currency) }]
    : []),
];

export const Totals = ({ scope, tag }: { scope: TotalsScope; tag?: string | undefined }) => {
  const { prices } = useSession().me.server;
  const [period, setPeriod] = useState<PeriodKind>('month');
  const filter = { period, since: sinceOf(period), tag };
  const totals = useLoad(() => api.totals(scope, filter), [JSON.stringify(scope), period, tag]);
  return (
    <section>
      <div class="card-header">
        <Choice label="Totals" value={period} onChange={setPeriod} options={PERIODS} />
        <a class="button" href={api.totalsCsvUrl(scope, filter)} download>
          Export totals
        </a>
      </div>
      <p class="hint">
        {period === 'month' ? 'The last twelve months.' : 'The last 31 days.'}
        {scope === 'server' ? '' : ' Of the filters above, only the tag applies.'}
      </p>
      <Show of={totals} what="totals">
        {(list) =>
          list.length === 0 ? (
            <Empty title="No usage in this period" />
          ) : (
            <DataTable
              rows={list}
              keyOf={(total) => `${total.period} ${total.account_id} ${total.key_id}`}
              columns={columnsFor(scope, prices)}
              testId="totals"
            />
          )
        }
      </Show>
    </section>
  );
};
