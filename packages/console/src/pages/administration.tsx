// For administrators of the server: every account with its limits, and how the server is doing.
import type { AccountSummary, ServerStatus } from '@faircopy/contract';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/console.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field, PageHead } from '../parts/field.tsx';
import { Form, textOf } from '../parts/form.tsx';
import { amount, count, day, megabytes, seconds, time } from '../parts/format.ts';
import { Show } from '../parts/states.tsx';
import { useLoad } from '../parts/use-load.ts';
import { Cluster } from './cluster.tsx';

const REFRESH_MS = 5_000;

const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text));

const LimitsDialog = ({ account, onClose }: { account: AccountSummary; onClose: () => void }) => (
  <Dialog title={`Limits of ${account.name}`} onClose={onClose}>
    <Form
      submit="Save limits"
      onCancel={onClose}
      onSubmit={async (values) => {
        await api.setLimits(account.id, {
          max_streams: numberOrNull(textOf(values, 'streams')),
          max_duration_seconds: numberOrNull(textOf(values, 'duration')),
          max_uploads: numberOrNull(textOf(values, 'uploads')),
          max_waiting_seconds: numberOrNull(textOf(values, 'waiting')),
        });
        onClose();
      }}
    >
      <Field
        label="Open streams"
        name="streams"
        type="number"
        min={0}
        max={100000}
        value={account.limits.max_streams ?? ''}
        hint="Empty: the server's default."
      />
      <Field
        label="Longest file, in seconds"
        name="duration"
        type="number"
        min={1}
        max={86400}
        value={account.limits.max_duration_seconds ?? ''}
        hint="Empty: the server's default."
      />
      <Field
        label="Files at the same time"
        name="uploads"
        type="number"
        min={0}
        max={100000}
        value={account.limits.max_uploads ?? ''}
        hint="Empty: the server's default."
      />
      <Field
        label="Audio that may wait, in seconds"
        name="waiting"
        type="number"
        min={1}
        max={604800}
        value={account.limits.max_waiting_seconds ?? ''}
        hint="Empty: the server's default."
      />
    </Form>
  </Dialog>
);

const CreateDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="New account" onClose={onClose}>
    <Form
      submit="Create account"
      onCancel={onClose}
      onSubmit={async (values) => {
        await api.createAccount(textOf(values, 'name'));
        onClose();
      }}
    >
      <Field label="Name" name="name" required maxLength={200} />
    </Form>
  </Dialog>
);

const Accounts = () => {
  const accounts = useLoad(api.accounts, []);
  const [open, setOpen] = useState<AccountSummary | 'create' | null>(null);
  const close = () => {
    setOpen(null);
    accounts.reload();
  };
  return (
    <section>
      <div class="card-head">
        <h2>Accounts</h2>
        <button type="button" onClick={() => setOpen('create')}>
          New account
        </button>
      </div>
      <Show of={accounts} what="accounts">
        {(list) => (
          <div class="table-frame">
            <table class="stack">
              <thead>
                <tr>
                  <th>Name</th>
                  <th>Created</th>
                  <th class="number">Keys</th>
                  <th class="number">People</th>
                  <th class="number">Billed, 30 days</th>
                  <th>Streams</th>
                  <th>Longest file</th>
                  <th>
                    <span class="unseen">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.map((account) => (
                  <tr key={account.id}>
                    <th scope="row" class="name">
                      <bdi>{account.name}</bdi>
                    </th>
                    <td data-label="Created">{day(account.created_at)}</td>
                    <td data-label="Keys" class="number">
                      {count(account.keys)}
                    </td>
                    <td data-label="People" class="number">
                      {count(account.members)}
                    </td>
                    <td data-label="Billed, 30 days" class="number">
                      {amount(account.billed_seconds_30d)}
                    </td>
                    <td data-label="Streams">{account.limits.max_streams ?? 'default'}</td>
                    <td data-label="Longest file">
                      {account.limits.max_duration_seconds === null
                        ? 'default'
                        : seconds(account.limits.max_duration_seconds)}
                    </td>
                    <td class="row-actions">
                      <button type="button" class="quiet-button" onClick={() => setOpen(account)}>
                        Limits<span class="unseen"> of {account.name}</span>
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Show>
      {open === 'create' ? <CreateDialog onClose={close} /> : null}
      {open && open !== 'create' ? <LimitsDialog account={open} onClose={close} /> : null}
    </section>
  );
};

const StatusFigures = ({ status }: { status: ServerStatus }) => (
  <>
    <dl class="figures">
      <div class="figure card">
        <dt>State</dt>
        <dd>{status.ready ? 'Ready' : 'Starting'}</dd>
      </div>
      <div class="figure card">
        <dt>Waiting</dt>
        <dd>{amount(status.queue.waiting_audio_seconds)}</dd>
      </div>
      <div class="figure card">
        <dt>Sessions</dt>
        <dd>{count(status.queue.sessions)}</dd>
      </div>
      <div class="figure card">
        <dt>Event-loop lag</dt>
        <dd>{Math.round(status.event_loop_lag_ms)} ms</dd>
      </div>
    </dl>
    <div class="columns">
      <section class="card">
        <h3>Recognisers</h3>
        <ul class="people">
          {status.recognisers.map((recogniser, position) => (
            <li key={recogniser.pid ?? position}>
              <span>
                Process {recogniser.pid ?? '–'} <span class="tag">{recogniser.state}</span>
              </span>
              <span class="quiet">
                {count(recogniser.jobs_done)} jobs · {count(recogniser.restarts)} restarts
                {recogniser.rss_bytes === null ? '' : ` · ${megabytes(recogniser.rss_bytes)}`}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h3>Models</h3>
        <ul class="people">
          {status.models.map((model) => (
            <li key={model.id}>
              <span>{model.id}</span>
              <span class="quiet">
                {megabytes(model.bytes)} · {model.tiers.join(', ') || 'not loaded'}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h3>Server</h3>
        <dl class="pairs">
          <dt>Version</dt>
          <dd>{status.version}</dd>
          <dt>Node</dt>
          <dd>{status.node}</dd>
          <dt>Database</dt>
          <dd>{status.database === 'sqlite' ? 'SQLite, embedded' : 'PostgreSQL'}</dd>
          <dt>Started</dt>
          <dd>{time(status.started_at)}</dd>
          <dt>Memory</dt>
          <dd>{megabytes(status.rss_bytes)}</dd>
        </dl>
      </section>
    </div>
  </>
);

const Status = () => {
  const status = useLoad(api.status, []);
  useEffect(() => {
    const timer = setInterval(status.reload, REFRESH_MS);
    return () => clearInterval(timer);
  }, [status.reload]);
  return (
    <section>
      <h2>Server</h2>
      <Show of={status} what="the server's status">
        {(data) => <StatusFigures status={data} />}
      </Show>
    </section>
  );
};

export const AdministrationPage = () => (
  <>
    <PageHead title="Administration" lead="Accounts of this server, their limits, and how the server is doing." />
    <Accounts />
    <Status />
    <Cluster />
  </>
);
