// The jobs of the account and their webhooks.
import { JOB_STATES, type JobObject } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { FormDialog, useDialog } from '../../components/dialog.tsx';
import { Choice } from '../../components/field.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { CodeBox } from '../../components/scroll-box.tsx';
import { Empty, Show } from '../../components/states.tsx';
import { bytes, time } from '../../format.ts';
import { useLoad, usePolling } from '../../hooks/use-load.ts';
import { useQuery } from '../../hooks/use-query.ts';
import { SERVICE_URL } from '../../paths.ts';
import { useSession } from '../../session.ts';
import { JobTable } from './job-table.tsx';
import { isOpen, STATE_TEXTS } from './job-text.ts';

const REFRESH_MS = 5_000;

/** Uploads that are not complete are not listed. */
const LISTED_STATES = JOB_STATES.filter((state) => state !== 'receiving');
const STATES = [['', 'Any state'] as const, ...LISTED_STATES.map((state) => [state, STATE_TEXTS[state]] as const)];

const CancelDialog = ({ job, onClose }: { job: JobObject; onClose: () => void }) => {
  const { accountId } = useSession();
  return (
    <FormDialog
      title="Cancel this job?"
      submit="Cancel the job"
      cancel="Keep it"
      danger
      onClose={onClose}
      onSubmit={() => api.cancelJob(accountId, job.id)}
    >
      <p>
        This deletes the file of {bytes(job.audio_bytes)}, uploaded {time(job.created_at)}. Nothing is billed. You
        cannot undo this.
      </p>
    </FormDialog>
  );
};

const NoJobs = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No job is in this state" />
  ) : (
    <Empty title="No jobs yet">
      <p>A job transcribes a file in the background. If the operator has enabled jobs, send one like this:</p>
      <CodeBox
        label="How to send a job"
        text={`curl ${SERVICE_URL}/v1/jobs \\\n  -H "Authorization: Token $FAIRCOPY_API_KEY" \\\n  -F audio=@meeting.ogg`}
      />
    </Empty>
  );

export const JobsPage = () => {
  const { accountId, account } = useSession();
  const [values, change] = useQuery({ state: '' });
  const state = LISTED_STATES.find((listed) => listed === values.state) ?? '';
  const [before, setBefore] = useState<string | null>(null);
  const page = useLoad(() => api.jobs(accountId, before, state), [accountId, before, state]);
  const { dialog, openDialog } = useDialog(page.reload);
  usePolling(page.reload, REFRESH_MS, page.load.state === 'ready' && page.load.data.jobs.some(isOpen));
  return (
    <>
      <PageHeader title="Jobs" of={account.name} lead="Files that are transcribed in the background.">
        <button type="button" onClick={page.reload}>
          Refresh
        </button>
      </PageHeader>
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
              <NoJobs isFiltered={state !== ''} />
            ) : (
              <JobTable
                jobs={jobs}
                onCancel={(job) => openDialog((close) => <CancelDialog job={job} onClose={close} />)}
              />
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
      {dialog}
    </>
  );
};
