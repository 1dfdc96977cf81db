// Jobs of the account: which wait, run and have ended, and how their webhooks fare.
import { JOB_STATES, type JobObject } from '@faircopy/contract';
import { useEffect, useState } from 'preact/hooks';
import { jobsApi } from '../../api/jobs.ts';
import { SERVICE_URL } from '../../base-path.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choice } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { bytes, time } from '../../parts/format.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { CodeBox } from '../../parts/scroll-box.tsx';
import { number, StackTable } from '../../parts/stack-table.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { useLoad } from '../../parts/use-load.ts';
import { useSession } from '../../session.ts';
import { JOB_COLUMNS, JobRow } from './job-row.tsx';
import { isOpen, STATE_WORDS } from './job-words.ts';

const REFRESH_MS = 5_000;

/** A job that is still arriving is none yet. */
const SHOWN_STATES = JOB_STATES.filter((state) => state !== 'receiving');
const STATES = [['', 'Any state'] as const, ...SHOWN_STATES.map((state) => [state, STATE_WORDS[state]] as const)];

const CancelDialog = ({ job, onClose }: { job: JobObject; onClose: () => void }) => {
  const { accountId } = useSession();
  return (
    <Dialog title="Cancel this job?" onClose={onClose}>
      <p>
        The file of {bytes(job.audio_bytes)} that came {time(job.created_at)} is deleted, and nothing is billed. This
        cannot be undone.
      </p>
      <Form
        submit="Cancel the job"
        cancel="Keep it"
        danger
        onCancel={onClose}
        onSubmit={async () => {
          await jobsApi.cancel(accountId, job.id);
          onClose();
        }}
      />
    </Dialog>
  );
};

const JobTable = ({ jobs, onCancel }: { jobs: readonly JobObject[]; onCancel: (job: JobObject) => void }) => (
  <StackTable
    heads={JOB_COLUMNS.map((head) => (head === 'Size' || head === 'Took' ? number(head) : head))}
    unseenHead="Actions"
    kind="ledger"
    testId="jobs"
  >
    {jobs.map((job) => (
      <JobRow key={job.id} job={job} onCancel={() => onCancel(job)} />
    ))}
  </StackTable>
);

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No job is in this state" />
  ) : (
    <Empty title="No jobs yet">
      <p>A job is a file that nobody waits for. Where the operator has turned jobs on, send one like this:</p>
      <CodeBox
        label="How to send a job"
        text={`curl ${SERVICE_URL}/v1/jobs \\\n  -H "Authorization: Token $FAIRCOPY_API_KEY" \\\n  -F audio=@meeting.ogg`}
      />
    </Empty>
  );

export const JobsPage = () => {
  const { accountId, account } = useSession();
  const [values, change] = useAddress({ state: '' });
  const state = SHOWN_STATES.find((one) => one === values.state) ?? '';
  const [before, setBefore] = useState<string | null>(null);
  const [cancelled, setCancelled] = useState<JobObject | null>(null);
  const page = useLoad(() => jobsApi.list(accountId, { before, state }), [accountId, before, state]);
  const isMoving = page.load.state === 'ready' && page.load.data.jobs.some(isOpen);
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && page.reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [isMoving, page.reload]);
  return (
    <>
      <PageHead title="Jobs" of={account.name} lead="Files that are transcribed when there is time, one after another.">
        <button type="button" onClick={page.reload}>
          Refresh
        </button>
      </PageHead>
      <div class="filters filters-few">
        <Choice
          label="State"
          value={state}
          options={STATES}
          onChange={(chosen) => {
            setBefore(null);
            change({ state: chosen });
          }}
        />
      </div>
      <Show of={page} what="jobs">
        {({ jobs, next_before }) => (
          <>
            {jobs.length === 0 ? (
              <Nothing isFiltered={state !== ''} />
            ) : (
              <JobTable jobs={jobs} onCancel={setCancelled} />
            )}
            <div class="pages">
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
            </div>
          </>
        )}
      </Show>
      {cancelled ? (
        <CancelDialog
          job={cancelled}
          onClose={() => {
            setCancelled(null);
            page.reload();
          }}
        />
      ) : null}
    </>
  );
};
