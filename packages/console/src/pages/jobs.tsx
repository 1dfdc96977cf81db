// Jobs of the account: which wait, run and have ended, and how their webhooks fare.
import type { JobObject } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { jobsApi } from '../api/jobs.ts';
import { time } from '../parts/format.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Empty, Failure, Show } from '../parts/states.tsx';
import { useLoad } from '../parts/use-load.ts';
import { useSession } from '../session.ts';

const HEADS = ['When', 'State', 'Model', 'MB', 'Ended', 'Webhook', 'Job', ''];
const TAGS: Readonly<Record<string, string>> = { succeeded: 'tag-good', failed: 'tag-bad' };

const isOpen = ({ state }: JobObject): boolean => state === 'waiting' || state === 'running';

const Row = ({ job, onCancel }: { job: JobObject; onCancel: () => void }) => (
  <tr>
    <td data-label="When">{time(job.created_at)}</td>
    <td data-label="State">
      <span class={`tag ${TAGS[job.state] ?? ''}`} title={job.error?.message ?? ''}>
        {job.error?.code ?? job.state}
      </span>
    </td>
    <td data-label="Model">{job.model}</td>
    <td data-label="MB" class="number">
      {(job.audio_bytes / 2 ** 20).toFixed(1)}
    </td>
    <td data-label="Ended">{job.ended_at === null ? '–' : time(job.ended_at)}</td>
    <td data-label="Webhook" title={job.webhook?.fault ?? ''}>
      {job.webhook?.state ?? '–'}
    </td>
    <td data-label="Job">
      <code>{job.id}</code>
    </td>
    <td>
      {isOpen(job) ? (
        <button type="button" class="quiet-button" onClick={onCancel}>
          Cancel
        </button>
      ) : null}
    </td>
  </tr>
);

export const JobsPage = () => {
  const { accountId } = useSession();
  const [before, setBefore] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const page = useLoad(() => jobsApi.list(accountId, before), [accountId, before]);
  const cancel = (id: string) => {
    setError(null);
    jobsApi.cancel(accountId, id).catch(setError).finally(page.reload);
  };
  return (
    <>
      <PageHead title="Jobs" lead="Files that are transcribed when there is time.">
        <button type="button" onClick={page.reload}>
          Refresh
        </button>
      </PageHead>
      {error ? <Failure error={error} /> : null}
      <Show of={page} what="jobs">
        {({ jobs, next_before }) =>
          jobs.length === 0 ? (
            <Empty title="No jobs">
              <p>
                A job is made with <code>POST /v1/jobs</code>, where the operator has turned jobs on.
              </p>
            </Empty>
          ) : (
            <>
              <div class="table-frame">
                <table class="stack" data-testid="jobs">
                  <thead>
                    <tr>
                      {HEADS.map((head) => (
                        <th key={head} class={head === 'MB' ? 'number' : ''}>
                          {head}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {jobs.map((job) => (
                      <Row key={job.id} job={job} onCancel={() => cancel(job.id)} />
                    ))}
                  </tbody>
                </table>
              </div>
              {before === null ? null : (
                <button type="button" onClick={() => setBefore(null)}>
                  Newest jobs
                </button>
              )}
              {next_before === null ? null : (
                <button type="button" onClick={() => setBefore(next_before)}>
                  Older jobs
                </button>
              )}
            </>
          )
        }
      </Show>
    </>
  );
};
