// What the account used: totals, the days, where it went, and every request.
import { ERROR_CODES, isModelId, MODEL_IDS, type UsageQuery, type UsageSummary } from '@faircopy/contract';
import { useMemo, useState } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { HOME } from '../../base-path.ts';
import { Choice, PageHead } from '../../parts/field.tsx';
import { amount, count, percent } from '../../parts/format.ts';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { useSession } from '../../session.ts';
import { UsageChart } from './chart.tsx';
import { UsageRecords } from './records.tsx';

const SPANS = [
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
] as const;
const MODELS = [['', 'All models'], ...MODEL_IDS.map((id) => [id, id] as const)] as const;
const STATUSES = [
  ['', 'Any status'],
  ['success', 'success'],
  ...ERROR_CODES.map((code) => [code, code] as const),
] as const;
const MODES = [
  ['', 'Both modes'],
  ['file', 'file'],
  ['stream', 'stream'],
] as const;

const startOfDayUtc = (daysAgo: number): string => {
  const start = new Date();
  start.setUTCHours(0, 0, 0, 0);
  start.setUTCDate(start.getUTCDate() - daysAgo + 1);
  return start.toISOString();
};

/** Only the filters that are set, so that an empty choice asks for everything. */
const usageFilter = (choices: {
  span: string;
  model: string;
  status: string;
  mode: string;
  keyId: string;
}): UsageQuery => ({
  since: startOfDayUtc(Number(choices.span)),
  ...(isModelId(choices.model) ? { model: choices.model } : {}),
  ...(choices.status ? { status: choices.status as NonNullable<UsageQuery['status']> } : {}),
  ...(choices.mode ? { mode: choices.mode as NonNullable<UsageQuery['mode']> } : {}),
  ...(choices.keyId ? { key_id: choices.keyId } : {}),
});

const Figure = ({ label, value }: { label: string; value: string }) => (
  <div class="figure card">
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);

interface ShareRow {
  readonly name: string;
  readonly billed: number;
  readonly requests: number;
}
const Shares = ({ title, rows }: { title: string; rows: readonly ShareRow[] }) => {
  const most = Math.max(1, ...rows.map((row) => row.billed));
  return (
    <section class="card">
      <h3>{title}</h3>
      <ul class="shares">
        {rows.map((row) => (
          <li key={row.name}>
            <span class="name">
              <bdi>{row.name}</bdi>
            </span>
            <span class="quiet">
              {amount(row.billed)} · {count(row.requests)} requests
            </span>
            <meter min={0} max={most} value={row.billed} aria-label={`${row.name}: ${amount(row.billed)}`} />
          </li>
        ))}
      </ul>
    </section>
  );
};

const Summary = ({ summary }: { summary: UsageSummary }) => (
  <>
    <dl class="figures">
      <Figure label="Billed" value={amount(summary.total.billed_seconds)} />
      <Figure label="Audio" value={amount(summary.total.audio_seconds)} />
      <Figure label="Requests" value={count(summary.total.requests)} />
      <Figure label="Errors" value={percent(summary.total.errors, summary.total.requests)} />
    </dl>
    <UsageChart days={summary.days} />
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
  </>
);

export const UsagePage = () => {
  const { accountId } = useSession();
  const [span, setSpan] = useState('30');
  const [model, setModel] = useState('');
  const [status, setStatus] = useState('');
  const [mode, setMode] = useState('');
  const [keyId, setKeyId] = useState('');
  const filter = useMemo(() => usageFilter({ span, model, status, mode, keyId }), [span, model, status, mode, keyId]);
  const summary = useLoad(() => api.usageSummary(accountId, filter), [accountId, filter]);
  const keys = useLoad(() => api.keys(accountId), [accountId]);
  const keyOptions = [
    ['', 'All keys'] as const,
    ...(keys.load.state === 'ready' ? keys.load.data.map((key) => [key.id, key.name] as const) : []),
  ];
  return (
    <>
      <PageHead
        title="Usage"
        lead="Read from the ledger: one row per request, exactly what is billed. Days are in UTC."
      >
        <a class="button" href={api.usageCsvAddress(accountId, filter)} download>
          Export CSV
        </a>
      </PageHead>
      <div class="filters">
        <Choice label="Time" value={span} onChange={setSpan} options={SPANS} />
        <Choice label="Model" value={model} onChange={setModel} options={MODELS} />
        <Choice label="Key" value={keyId} onChange={setKeyId} options={keyOptions} />
        <Choice label="Mode" value={mode} onChange={setMode} options={MODES} />
        <Choice label="Status" value={status} onChange={setStatus} options={STATUSES} />
      </div>
      <Show of={summary} what="usage">
        {(data) =>
          data.total.requests === 0 ? (
            <Empty title="Nothing used yet">
              <p>
                Requests show up here as they are served. Try one in the <a href={`${HOME}/playground`}>playground</a>.
              </p>
            </Empty>
          ) : (
            <>
              <Summary summary={data} />
              <h2>Requests</h2>
              <UsageRecords accountId={accountId} filter={filter} />
            </>
          )
        }
      </Show>
    </>
  );
};
