// The jobs of the account: send files, read and search their texts, cancel.
import { type ConsoleJob, JOB_STATES } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { FormDialog, useDialog } from '../../components/dialog.tsx';
import { Choice } from '../../components/field.tsx';
import { FindWords } from '../../components/find-words.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { CodeBox } from '../../components/scroll-box.tsx';
import { Empty, Show } from '../../components/states.tsx';
import { bytes, counted, time } from '../../format.ts';
import { useLoad, usePolling } from '../../hooks/use-load.ts';
import { useQuery } from '../../hooks/use-query.ts';
import { SERVICE_URL } from '../../paths.ts';
import { accountUrl, useSession } from '../../session.ts';
import { defaultOptions } from '../playground/options.tsx';
import { JobMatches } from './job-matches.tsx';
import { JobTable } from './job-table.tsx';
import { isOpen, STATE_TEXTS } from './job-text.ts';
import { SendJobs } from './send-jobs.tsx';

const REFRESH_MS = 5_000;

/** Incomplete uploads are not listed. */
const LISTED_STATES = JOB_STATES.filter((state) => state !== 'receiving');
const STATES = [['', 'Any state'] as const, ...LISTED_STATES.map((state) => [state, STATE_TEXTS[state]] as const)];

const CancelDialog = ({ job, onClose }: { job: ConsoleJob; onClose: () => void }) => {
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

/** Works as pasted, because it downloads a short recording first. */
const exampleFor = (model: string): string =>
  [
    `curl -sS ${SERVICE_URL}/console/sample.ogg -o sample.ogg`,
    `curl -sS ${SERVICE_URL}/v1/jobs \\`,
    '  -H "Authorization: Token $FAIRCOPY_API_KEY" \\',
    `  -F model=${model} \\`,
    '  -F audio=@sample.ogg',
  ].join('\n');

const Example = () => {
  const { me, accountId } = useSession();
  const text = exampleFor(defaultOptions(me).model);
  return (
    <details class="card">
      <summary>Send jobs from a program</summary>
      <p class="muted">
        Set <code>FAIRCOPY_API_KEY</code> to an <a href={accountUrl(accountId, 'keys')}>API key</a>. Only that key can
        open the result, at <code>/v1/jobs/ID</code>.
      </p>
      <div class="snippet">
        <CodeBox label="How to send a job" text={text} />
        <div class="actions">
          <CopyButton text={text} />
        </div>
      </div>
    </details>
  );
};

const NoJobs = ({ isFiltered }: { isFiltered: boolean }) => {
  const { jobs } = useSession().me.server;
  if (isFiltered) return <Empty title="No jobs in this state" />;
  if (!jobs)
    return (
      <Empty title="Jobs are off">
        <p>
          The operator has turned them off, or the server needs <code>FAIRCOPY_JOBS_SECRET</code>.
        </p>
      </Empty>
    );
  return (
    <Empty title="No jobs yet">
      <p>
        A job transcribes a long file in the background. Choose a file above; its text is kept here for{' '}
        {counted(jobs.keep_hours, 'hour')}.
      </p>
    </Empty>
  );
};

const Pages = ({ before, next, onChange }: PagesProps) => (
  <div class="pages">
    {before === null ? null : (
      <button type="button" onClick={() => onChange(null)}>
        Newest jobs
      </button>
    )}
    {next === null ? null : (
      <button type="button" onClick={() => onChange(next)}>
        Older jobs
      </button>
    )}
  </div>
);

interface PagesProps {
  readonly before: string | null;
  readonly next: string | null;
  readonly onChange: (before: string | null) => void;
}

export const JobsPage = () => {
  const { accountId, account, me } = useSession();
  const [values, change] = useQuery({ state: '' });
  const state = LISTED_STATES.find((listed) => listed === values.state) ?? '';
  const [before, setBefore] = useState<string | null>(null);
  const [words, setWords] = useState('');
  const page = useLoad(() => api.jobs(accountId, before, state), [accountId, before, state]);
  const { dialog, openDialog } = useDialog(page.reload);
  usePolling(page.reload, REFRESH_MS, page.load.state === 'ready' && page.load.data.jobs.some(isOpen));
  const { jobs: limits } = me.server;
  return (
    <>
      <PageHeader
        title="Jobs"
        of={account.name}
        lead="Long recordings, transcribed in the background. Once a file is sent, you can close the page."
      >
        <button type="button" onClick={page.reload}>
          Refresh
        </button>
      </PageHeader>
      {limits ? <SendJobs limits={limits} onSent={page.reload} /> : null}
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
        {limits ? <FindWords label="Find words in your jobs" onSearch={setWords} /> : null}
      </div>
      {words === '' ? (
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
              <Pages before={before} next={next_before} onChange={setBefore} />
            </>
          )}
        </Show>
      ) : (
        <JobMatches words={words} />
      )}
      {limits ? <Example /> : null}
      {dialog}
    </>
  );
};
