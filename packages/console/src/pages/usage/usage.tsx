// What the account used: totals, the days, where it went, and every request.
import {
  ERROR_CODES,
  isModelId,
  MODEL_IDS,
  PLAYGROUND_KEYS,
  type UsageQuery,
  type UsageSummary,
} from '@faircopy/contract';
import { useMemo } from 'preact/hooks';
import { receiptsAddress } from '../../api/budgets.ts';
import { api } from '../../api/console.ts';
import { Choice } from '../../parts/field.tsx';
import { Figure } from '../../parts/figure.tsx';
import { amount, count, percent, seconds } from '../../parts/format.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { useLoad } from '../../parts/use-load.ts';
import { accountPage, useSession } from '../../session.ts';
import { UsageChart } from './chart.tsx';
import { periodsOf, startOf } from './days.ts';
import { UsageRecords } from './records.tsx';
import { Shares } from './shares.tsx';
import { statusText } from './status-text.ts';
import { Totals } from './totals.tsx';

const SPANS = [
  ['1', 'Today'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['365', 'Last 365 days'],
] as const;
const MODELS = [['', 'All models'], ...MODEL_IDS.map((id) => [id, id] as const)] as const;
const STATUSES = [
  ['', 'Any outcome'],
  ['success', statusText('success')],
  ...ERROR_CODES.map((code) => [code, statusText(code)] as const),
] as const;
const MODES = [
  ['', 'Both modes'],
  ['file', 'Files'],
  ['stream', 'Streams'],
] as const;

/** What the address says when nothing was chosen. */
const DEFAULTS = { days: '30', model: '', key: '', mode: '', status: '', view: 'requests' } as const;
type Choices = Record<keyof typeof DEFAULTS, string>;

/** An address may hold anything; what is no choice of ours chooses nothing. */
const among = (options: readonly (readonly [string, string])[], value: string, fallback: string): string =>
  options.some(([id]) => id === value) ? value : fallback;

const daysOf = (choices: Choices): number => Number(among(SPANS, choices.days, DEFAULTS.days));

/** Only the filters that are set, so that an empty choice asks for everything. */
const usageFilter = (choices: Choices): UsageQuery => {
  const status = among(STATUSES, choices.status, '');
  const mode = among(MODES, choices.mode, '');
  return {
    since: startOf(daysOf(choices)),
    ...(isModelId(choices.model) ? { model: choices.model } : {}),
    ...(status ? { status: status as NonNullable<UsageQuery['status']> } : {}),
    ...(mode ? { mode: mode as NonNullable<UsageQuery['mode']> } : {}),
    ...(choices.key ? { key_id: choices.key } : {}),
  };
};

const Summary = ({ summary, days }: { summary: UsageSummary; days: number }) => (
  <>
    <dl class="figures">
      <Figure
        label="Billed"
        value={amount(summary.total.billed_seconds)}
        note={`${seconds(summary.total.billed_seconds)} exactly`}
      />
      <Figure
        label="Audio"
        value={amount(summary.total.audio_seconds)}
        note={`${seconds(summary.total.audio_seconds)} exactly`}
      />
      <Figure label="Requests" value={count(summary.total.requests)} note={days === 1 ? 'today' : `in ${days} days`} />
      <Figure
        label="Errors"
        value={count(summary.total.errors)}
        note={
          summary.total.errors === 0 ? 'none failed' : `${percent(summary.total.errors, summary.total.requests)} failed`
        }
      />
    </dl>
    <UsageChart periods={periodsOf(summary.days, days)} />
    {summary.total.requests === 0 ? null : (
      <div class="columns">
        <Shares
          title="By model"
          rows={summary.models.map((row) => ({
            name: row.model ?? 'none named',
            billed: row.billed_seconds,
            requests: row.requests,
          }))}
        />
        <Shares
          title="By key"
          rows={summary.keys.map((row) => ({
            name: row.key_name ?? row.key_id ?? 'no key',
            billed: row.billed_seconds,
            requests: row.requests,
          }))}
        />
      </div>
    )}
  </>
);

const VIEWS = [
  ['requests', 'Requests'],
  ['totals', 'Totals'],
] as const;

const Filters = ({ values, change }: { values: Choices; change: (changes: Partial<Choices>) => void }) => {
  const { accountId } = useSession();
  const keys = useLoad(() => api.keys(accountId), [accountId]);
  const keyOptions = [
    ['', 'All keys'] as const,
    [PLAYGROUND_KEYS, 'Playground'] as const,
    ...(keys.load.state === 'ready' ? keys.load.data.map((key) => [key.id, key.name] as const) : []),
  ];
  const set = (name: keyof Choices) => (value: string) => change({ [name]: value });
  return (
    <div class="filters">
      <Choice label="Time" value={values.days} onChange={set('days')} options={SPANS} />
      <Choice label="Model" value={values.model} onChange={set('model')} options={MODELS} />
      <Choice label="Key" value={values.key} onChange={set('key')} options={keyOptions} />
      <Choice label="Mode" value={values.mode} onChange={set('mode')} options={MODES} />
      <Choice label="Outcome" value={values.status} onChange={set('status')} options={STATUSES} />
    </div>
  );
};

const NoRequests = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) => {
  const { accountId } = useSession();
  if (isFiltered)
    return (
      <Empty title="No request matches">
        <p>Choose a longer time, or fewer filters.</p>
        <button type="button" onClick={onClear}>
          Clear the filters
        </button>
      </Empty>
    );
  return (
    <Empty title="No requests in this time">
      <p>
        Requests show up here as they are served. Try one in the{' '}
        <a href={accountPage(accountId, 'playground')}>playground</a>.
      </p>
    </Empty>
  );
};

export const UsagePage = () => {
  const { accountId, account } = useSession();
  const [values, change] = useAddress(DEFAULTS);
  const chosen = JSON.stringify(values);
  const filter = useMemo(() => usageFilter(values), [chosen]);
  const filterKey = JSON.stringify(filter);
  const summary = useLoad(() => api.usageSummary(accountId, filter), [accountId, filterKey]);
  const isFiltered = Object.keys(filter).length > 1;
  return (
    <>
      <PageHead
        title="Usage"
        of={account.name}
        lead="Read from the ledger: one row per request, exactly what is billed. Days are in UTC."
      >
        <a class="button" href={api.usageCsvAddress(accountId, filter)} download>
          Export CSV
        </a>
        <a class="button" href={receiptsAddress(accountId)} download>
          Signed receipts
        </a>
      </PageHead>
      <Filters values={values} change={change} />
      <Show of={summary} what="usage">
        {(data) => (
          <>
            <Summary summary={data} days={daysOf(values)} />
            <Tabs
              label="Usage in detail"
              tabs={VIEWS}
              chosen={values.view === 'totals' ? 'totals' : 'requests'}
              onChoose={(view) => change({ view })}
            >
              {values.view === 'totals' ? <Totals whose={{ accountId }} /> : null}
              {values.view !== 'totals' && data.total.requests > 0 ? (
                <UsageRecords accountId={accountId} filter={filter} />
              ) : null}
              {values.view !== 'totals' && data.total.requests === 0 ? (
                <NoRequests
                  isFiltered={isFiltered}
                  onClear={() => change({ model: '', key: '', mode: '', status: '' })}
                />
              ) : null}
            </Tabs>
          </>
        )}
      </Show>
    </>
  );
};
