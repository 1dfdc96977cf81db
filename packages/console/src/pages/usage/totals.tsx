// Totals by month or day, account and key, to read and to export for invoices.
import type { UsageTotal } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api, type TotalsOf } from '../../api/console.ts';
import { Choice } from '../../parts/field.tsx';
import { amount, count, seconds } from '../../parts/format.ts';
import { number, StackTable } from '../../parts/stack-table.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { startOf } from './days.ts';

const PERIODS = [
  ['month', 'By month'],
  ['day', 'By day'],
] as const;
type PeriodKind = (typeof PERIODS)[number][0];

/** How far back: twelve whole months with this one, or 31 days. */
const sinceOf = (period: PeriodKind, now = new Date()): string =>
  period === 'day' ? startOf(31) : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1)).toISOString();

const TotalsTable = ({ totals, whose }: { totals: readonly UsageTotal[]; whose: TotalsOf }) => (
  <StackTable
    heads={[
      'Period (UTC)',
      ...(whose === 'server' ? ['Account'] : []),
      'Key',
      number('Requests'),
      number('Errors'),
      number('Audio'),
      number('Billed seconds'),
    ]}
    testId="totals"
  >
    {totals.map((total) => (
      <tr key={`${total.period} ${total.account_id} ${total.key_id}`}>
        <th scope="row">{total.period}</th>
        {whose === 'server' ? (
          <td data-label="Account" class="name">
            <bdi>{total.account_name}</bdi>
          </td>
        ) : null}
        <td data-label="Key" class="name">
          <bdi>{total.key_name ?? total.key_id ?? 'no key'}</bdi>
        </td>
        <td data-label="Requests" class="number">
          {count(total.requests)}
        </td>
        <td data-label="Errors" class="number">
          {count(total.errors)}
        </td>
        <td data-label="Audio" class="number">
          {amount(total.audio_seconds)}
        </td>
        <td data-label="Billed" class="number">
          {seconds(total.billed_seconds)}
        </td>
      </tr>
    ))}
  </StackTable>
);

export const Totals = ({ whose }: { whose: TotalsOf }) => {
  const [period, setPeriod] = useState<PeriodKind>('month');
  const since = sinceOf(period);
  const totals = useLoad(() => api.totals(whose, period, since), [JSON.stringify(whose), period]);
  return (
    <section>
      <div class="card-head">
        <Choice label="Totals" value={period} onChange={(value) => setPeriod(value as PeriodKind)} options={PERIODS} />
        <a class="button" href={api.totalsCsvAddress(whose, period, since)} download>
          Export totals
        </a>
      </div>
      <p class="hint">
        {period === 'month' ? 'The last twelve months' : 'The last 31 days'}, whatever else is filtered on this page.
      </p>
      <Show of={totals} what="totals">
        {(list) =>
          list.length === 0 ? (
            <Empty title="Nothing was used in this time" />
          ) : (
            <TotalsTable totals={list} whose={whose} />
          )
        }
      </Show>
    </section>
  );
};
