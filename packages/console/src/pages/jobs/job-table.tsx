// The table of jobs, with details per job.
import type { JobObject } from '@faircopy/contract';
import { api } from '../../api/api.ts';
import { DataTable, RowAction } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Tag } from '../../components/tag.tsx';
import { amount, bytes, counted, listTime, time } from '../../format.ts';
import { useSession } from '../../session.ts';
import { isOpen, tagOf, webhookText } from './job-text.ts';

const durationText = ({ started_at, ended_at }: JobObject): string =>
  started_at === null || ended_at === null ? '–' : amount((Date.parse(ended_at) - Date.parse(started_at)) / 1000);

const timeOrPending = (iso: string | null): string => (iso === null ? 'not yet' : time(iso));

const webhookDetails = ({ attempts, fault }: NonNullable<JobObject['webhook']>): string =>
  `${counted(attempts, 'attempt')}${fault === null ? '' : `. The last one failed: ${fault}`}`;

const Details = ({ job }: { job: JobObject }) => {
  const { accountId } = useSession();
  return (
    <Facts
      class="details"
      facts={[
        job.error && [
          'Error',
          <>
            {job.error.message} <code>{job.error.code}</code>
          </>,
        ],
        ['Job', <code>{job.id}</code>],
        ['Started', timeOrPending(job.started_at)],
        ['Ended', timeOrPending(job.ended_at)],
        ['Kept until', time(job.expires_at)],
        job.webhook && ['Webhook', webhookDetails(job.webhook)],
        job.state === 'succeeded' && [
          'Receipt',
          <a href={api.receiptUrl(accountId, job.id)} download>
            Download signed receipt
          </a>,
        ],
      ]}
    />
  );
};

export const JobTable = ({ jobs, onCancel }: { jobs: readonly JobObject[]; onCancel: (job: JobObject) => void }) => (
  <DataTable
    rows={jobs}
    keyOf={({ id }) => id}
    isCompact
    testId="jobs"
    columns={[
      { title: 'Sent', cell: ({ created_at }) => listTime(created_at) },
      { title: 'State', cell: (job) => <Tag state={tagOf(job)} /> },
      { title: 'Model', cell: ({ model }) => model },
      { title: 'Size', class: 'number', cell: ({ audio_bytes }) => bytes(audio_bytes) },
      { title: 'Took', class: 'number', cell: durationText },
      { title: 'Webhook', cell: webhookText },
    ]}
    actions={(job) =>
      isOpen(job) ? <RowAction text="Cancel" of={`job ${job.id}`} isDanger onClick={() => onCancel(job)} /> : null
    }
    details={(job) => <Details job={job} />}
  />
);
