// How the server is doing, as people read it; process ids behind a disclosure.
import type { ServerStatus } from '@faircopy/contract';
import { useEffect } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { Figure } from '../../parts/figure.tsx';
import { ago, amount, count, counted, megabytes, time } from '../../parts/format.ts';
import { Show } from '../../parts/states.tsx';
import { useLoad } from '../../parts/use-load.ts';

const REFRESH_MS = 5_000;
/** A loop that is late by more than this makes every answer late. */
const LAG_MS_MAX = 100;

const memoryOf = ({ rss_bytes, recognisers }: ServerStatus): number =>
  recognisers.reduce((sum, recogniser) => sum + (recogniser.rss_bytes ?? 0), rss_bytes);

const summaryOf = ({ ready, queue, event_loop_lag_ms }: ServerStatus): string => {
  if (!ready) return 'Starting: the models are being loaded.';
  if (event_loop_lag_ms > LAG_MS_MAX) return 'Slow: the machine has more to do than it can.';
  if (queue.waiting_jobs > 0) return 'Busy: some audio waits for its turn.';
  return queue.busy_slots > 0 ? 'Working, and keeping up.' : 'Ready, with nothing to do.';
};

const Figures = ({ status }: { status: ServerStatus }) => {
  const { queue, recognisers } = status;
  return (
    <>
      <p class="lead" role="status">
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
          value={queue.waiting_jobs === 0 ? 'empty' : amount(queue.waiting_audio_seconds)}
          note={queue.waiting_jobs === 0 ? 'nothing waits' : 'of audio waits'}
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
          <ul class="people">
            {status.models.map((model) => (
              <li key={model.id}>
                <span class="name">{model.id}</span>
                <span class="quiet">
                  {megabytes(model.bytes)} · {model.tiers.join(', ') || 'not loaded'}
                </span>
              </li>
            ))}
          </ul>
        </section>
        <section class="card">
          <h3>Details</h3>
          <dl class="pairs">
            <dt>Database</dt>
            <dd>{status.database === 'sqlite' ? 'SQLite, embedded' : 'PostgreSQL'}</dd>
            <dt>Node</dt>
            <dd>{status.node}</dd>
            <dt>Event loop</dt>
            <dd>{Math.round(status.event_loop_lag_ms)} ms late</dd>
          </dl>
          <details>
            <summary>{counted(recognisers.length, 'recogniser process', 'recogniser processes')}</summary>
            <ul class="people">
              {recognisers.map((recogniser, position) => (
                <li key={recogniser.pid ?? position}>
                  <span>
                    Process {recogniser.pid ?? '–'} <span class="tag">{recogniser.state}</span>
                  </span>
                  <span class="quiet">
                    {counted(recogniser.jobs_done, 'job')} · {counted(recogniser.restarts, 'restart')}
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
  useEffect(() => {
    const timer = setInterval(status.reload, REFRESH_MS);
    return () => clearInterval(timer);
  }, [status.reload]);
  return (
    <section>
      <h2>Server</h2>
      <Show of={status} what="the server's status">
        {(data) => <Figures status={data} />}
      </Show>
    </section>
  );
};
