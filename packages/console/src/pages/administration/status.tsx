// The state of the server. Process ids are hidden until the user opens them.
import type { ServerStatus } from '@faircopy/contract';
import { api } from '../../api/api.ts';
import { Facts } from '../../components/facts.tsx';
import { Figure } from '../../components/figure.tsx';
import { Show } from '../../components/states.tsx';
import { ago, amount, count, counted, megabytes, time } from '../../format.ts';
import { useLoad, usePolling } from '../../hooks/use-load.ts';

const REFRESH_MS = 5_000;
/** A larger event loop lag noticeably delays every answer. */
const LAG_MS_MAX = 100;

const memoryOf = ({ rss_bytes, recognisers }: ServerStatus): number =>
  recognisers.reduce((sum, recogniser) => sum + (recogniser.rss_bytes ?? 0), rss_bytes);

const summaryOf = ({ ready, queue, event_loop_lag_ms }: ServerStatus): string => {
  if (!ready) return 'Starting: the models are loading.';
  if (event_loop_lag_ms > LAG_MS_MAX) return 'Overloaded: the machine cannot keep up.';
  if (queue.waiting_windows > 0) return 'Busy: some audio is waiting.';
  return queue.busy_slots > 0 ? 'Working, no audio is waiting.' : 'Ready and idle.';
};

const Figures = ({ status }: { status: ServerStatus }) => {
  const { queue, recognisers } = status;
  return (
    <>
      <p class="summary" role="status">
        {summaryOf(status)}
      </p>
      <dl class="figures">
        <Figure
          label="Busy"
          value={queue.slots === 0 ? 'idle' : `${count(queue.busy_slots)} of ${count(queue.slots)}`}
          note={`recognisers, for ${counted(queue.sessions, 'request')}`}
        />
        <Figure
          label="Queue"
          value={queue.waiting_windows === 0 ? 'empty' : amount(queue.waiting_audio_seconds)}
          note={queue.waiting_windows === 0 ? 'no audio is waiting' : 'of audio is waiting'}
        />
        <Figure label="Memory" value={megabytes(memoryOf(status))} note="of the server and its recognisers" />
        <Figure
          label="Started"
          value={ago(status.started_at)}
          note={`${time(status.started_at)}, version ${status.version}`}
        />
      </dl>
      <div class="columns">
        <section class="card">
          <h3>Models</h3>
          <ul class="item-list">
            {status.models.map((model) => (
              <li key={model.id}>
                <span class="name">{model.id}</span>
                <span class="muted">
                  {megabytes(model.bytes)} · {model.tiers.join(', ') || 'not loaded'}
                </span>
              </li>
            ))}
          </ul>
        </section>
        <section class="card">
          <h3>Details</h3>
          <Facts
            facts={[
              ['Database', status.database === 'sqlite' ? 'SQLite, embedded' : 'PostgreSQL'],
              ['Node', status.node],
              ['Event loop lag', `${Math.round(status.event_loop_lag_ms)} ms`],
            ]}
          />
          <details>
            <summary>{counted(recognisers.length, 'recogniser process', 'recogniser processes')}</summary>
            <ul class="item-list">
              {recognisers.map((recogniser, position) => (
                <li key={recogniser.pid ?? position}>
                  <span>
                    Process {recogniser.pid ?? '–'} <span class="tag">{recogniser.state}</span>
                  </span>
                  <span class="muted">
                    {counted(recogniser.jobs_done, 'window')} · {counted(recogniser.restarts, 'restart')}
                    {recogniser.rss_bytes === null ? '' : ` · ${megabytes(recogniser.rss_bytes)}`}
                  </span>
                </li>
              ))}
            </ul>
          </details>
        </section>
      </div>
    </>
  );
};

export const Status = () => {
  const status = useLoad(api.status, []);
  usePolling(status.reload, REFRESH_MS);
  return (
    <section>
      <h2>Server</h2>
      <Show of={status} what="the server's status">
        {(data) => <Figures status={data} />}
      </Show>
    </section>
  );
};
