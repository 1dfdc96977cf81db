// The usage of the account: totals, chart, shares and requests.
import {
  ERROR_CODES,
  isModelId,
  MODEL_IDS,
  PLAYGROUND_KEYS,
  type Prices,
  TAG_CHARACTERS_MAX,
  type UsageQuery,
  type UsageSummary,
} from '@faircopy/contract';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { Choice, Field } from '../../components/field.tsx';
import { Figure } from '../../components/figure.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty, Show } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { amount, count, percent, price, seconds } from '../../format.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useQuery } from '../../hooks/use-query.ts';
import { accountUrl, useSession } from '../../session.ts';
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

const DEFAULTS = { days: '30', model: '', key: '', mode: '', status: '', tag: '', view: 'requests' } as const;
type Choices = Record<keyof typeof DEFAULTS, string>;

/** The URL may contain anything; unknown values count as not set. */
const among = (options: readonly (readonly [string, string])[], value: string, fallback: string): string =>
  options.some(([id]) => id === value) ? value : fallback;

const daysOf = (choices: Choices): number => Number(among(SPANS, choices.days, DEFAULTS.days));

const usageFilter = (choices: Choices): UsageQuery => {
  const status = among(STATUSES, choices.status, '');
  const mode = among(MODES, choices.mode, '');
  return {
    since: startOf(daysOf(choices)),
    model: isModelId(choices.model) ? choices.model : undefined,
    status: (status || undefined) as UsageQuery['status'],
    mode: (mode || undefined) as UsageQuery['mode'],
    key_id: choices.key || undefined,
    tag: choices.tag.trim().slice(0, TAG_CHARACTERS_MAX) || undefined,
  };
};

/** Exact seconds, with those of failed requests separate. */
const audioNote = (audio: number, failed: number): string =>
  failed === 0 ? `${seconds(audio)} exactly` : `${seconds(audio)} exactly, and ${seconds(failed)} failed`;

const Summary = ({ summary, days, prices }: { summary: UsageSummary; days: number; prices: Prices | null }) => (
  <>
    <dl class="figures">
      <Figure
        label="Billed"
        value={amount(summary.total.billed_seconds)}
        note={`${seconds(summary.total.billed_seconds)} exactly`}
      />
      <Figure
        label="Audio"
        value={amount(summary.total.audio_seconds - summary.total.failed_audio_seconds)}
        note={audioNote(
          summary.total.audio_seconds - summary.total.failed_audio_seconds,
          summary.total.failed_audio_seconds,
        )}
      />
      {prices ? (
        <Figure
          label="Cost"
          value={price(summary.total.cost ?? 0, prices.currency)}
          note="of the billed time, before taxes"
        />
      ) : null}
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
            name: row.model ?? 'no model',
            billed: row.billed_seconds,
            requests: row.requests,
            cost: prices && row.cost !== null ? price(row.cost, prices.currency) : null,
          }))}
        />
        <Shares
          title="By key"
          rows={summary.keys.map((row) => ({
            name: row.key_name ?? row.key_id ?? 'no key',
            billed: row.billed_seconds,
            requests: row.requests,
            cost: prices && row.cost !== null ? price(row.cost, prices.currency) : null,
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

/** The typed tag becomes the filter when the user leaves the field or presses Enter. */
const TagField = ({ tag, onChange }: { tag: string; onChange: (tag: string) => void }) => {
  const [typed, setTyped] = useState(tag);
  useEffect(() => setTyped(tag), [tag]);
  return (
    <Field
      label="Tag"
      value={typed}
      maxLength={TAG_CHARACTERS_MAX}
      placeholder="Any tag"
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  );
};

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
      <TagField tag={values.tag} onChange={set('tag')} />
    </div>
  );
};

const NoRequests = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) => {
  const { accountId } = useSession();
  if (isFiltered)
    return (
      <Empty title="No matching requests">
        <p>Choose a longer period or fewer filters.</p>
        <button type="button" onClick={onClear}>
          Clear the filters
        </button>
      </Empty>
    );
  return (
    <Empty title="No requests in this period">
      <p>
        Requests appear here when they are answered. Try one in the{' '}
        <a href={accountUrl(accountId, 'playground')}>playground</a>.
      </p>
    </Empty>
  );
};

export const UsagePage = () => {
  const { accountId, account, me } = useSession();
  const [values, change] = useQuery(DEFAULTS);
  const chosen = JSON.stringify(values);
  const filter = useMemo(() => usageFilter(values), [chosen]);
  const filterKey = JSON.stringify(filter);
  const summary = useLoad(() => api.usageSummary(accountId, filter), [accountId, filterKey]);
  return (
    <>
      <PageHeader title="Usage" of={account.name} lead="One row per request, exactly as billed. Days are in UTC.">
        <a class="button" href={api.usageCsvUrl(accountId, filter)} download>
          Export CSV
        </a>
        <a class="button" href={api.receiptsUrl(accountId, filter)} download>
          Signed receipts
        </a>
      </PageHeader>
      <Filters values={values} change={change} />
      <Show of={summary} what="usage">
        {(data) => (
          <>
            <Summary summary={data} days={daysOf(values)} prices={me.server.prices} />
            <Tabs
              label="Usage in detail"
              tabs={VIEWS}
              chosen={values.view === 'totals' ? 'totals' : 'requests'}
              onChoose={(view) => change({ view })}
            >
              {values.view === 'totals' ? <Totals scope={{ accountId }} tag={filter.tag} /> : null}
              {values.view !== 'totals' && data.total.requests > 0 ? (
                <UsageRecords accountId={accountId} filter={filter} />
              ) : null}
              {values.view !== 'totals' && data.total.requests === 0 ? (
                <NoRequests
                  isFiltered={Boolean(filter.model || filter.status || filter.mode || filter.key_id || filter.tag)}
                  onClear={() => change({ model: '', key: '', mode: '', status: '', tag: '' })}
                />
              ) : null}
            </Tabs>
          </>
        )}
      </Show>
    </>
  );
};
