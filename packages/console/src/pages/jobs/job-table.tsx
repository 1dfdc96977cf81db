// The table of jobs. Each row opens the text and details of its job.
import type { ConsoleJob, Prices } from '@faircopy/contract';
import { api } from '../../api/api.ts';
import { DataTable, RowAction } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Tag } from '../../components/tag.tsx';
import { amount, bytes, counted, exactTime, listTime, price, seconds } from '../../format.ts';
import { useSession } from '../../session.ts';
import { jobName } from './job-names.ts';
import { JobResult } from './job-result.tsx';
import { isOpen, tagOf, webhookText } from './job-text.ts';

const durationText = ({ started_at, ended_at }: ConsoleJob): string =>
  started_at === null || ended_at === null ? '–' : amount((Date.parse(ended_at) - Date.parse(started_at)) / 1000);

const timeOrPending = (iso: string | null): string => (iso === null ? 'not yet' : exactTime(iso));

const webhookDetails = (webhook: NonNullable<ConsoleJob['webhook']>, text: string): string =>
  `${text}, ${counted(webhook.attempts, 'attempt')}${webhook.fault === null ? '' : `. The last one failed: ${webhook.fault}`}`;

/** The cost if there is a price, otherwise the billed seconds. */
const costText = ({ billed_seconds, model }: ConsoleJob, prices: Prices | null): string => {
  if (billed_seconds === null) return '–';
  if (!prices) return `${seconds(billed_seconds)} billed`;
  return price(((prices.per_hour[model] ?? 0) * billed_seconds) / 3600, prices.currency);
};

const Details = ({ job }: { job: ConsoleJob }) => {
  const { accountId } = useSession();
  return (
    <div class="job-details">
      <JobResult job={job} />
      <Facts
        class="details"
        facts={[
          job.error && ['Error', job.error.message],
          ['Job', <code>{job.id}</code>],
          ['Size', bytes(job.audio_bytes)],
          ['Started', timeOrPending(job.started_at)],
          ['Ended', timeOrPending(job.ended_at)],
          ['Processing time', durationText(job)],
          job.billed_seconds !== null && ['Billed', seconds(job.billed_seconds)],
          ['Kept until', exactTime(job.expires_at)],
          job.webhook && ['Webhook', webhookDetails(job.webhook, webhookText(job))],
          job.state === 'succeeded' && [
            'Receipt',
            <a href={api.receiptUrl(accountId, job.id)} download>
              Download signed receipt
            </a>,
          ],
        ]}
      />
    </div>
  );
};

export const JobTable = ({ jobs, onCancel }: { jobs: readonly ConsoleJob[]; onCancel: (job: ConsoleJob) => void }) => {
  const { prices } = useSession().me.server;
  return (
    <DataTable
      rows={jobs}
      keyOf={({ id }) => id}
      isCompact
      testId="jobs"
      columns={[
        {
          title: 'File',
          class: 'name-cell',
          cell: ({ id }) => (
            <bdi class="name" title={jobName(id) ?? id}>
              {jobName(id) ?? id}
            </bdi>
          ),
        },
        { title: 'Sent', cell: ({ created_at }) => listTime(created_at) },
        { title: 'State', cell: (job) => <Tag state={tagOf(job)} /> },
        {
          title: 'Length',
          class: 'number',
          cell: ({ audio_seconds }) => (audio_seconds === null ? '–' : amount(audio_seconds)),
        },
        { title: 'Cost', class: 'number', cell: (job) => costText(job, prices) },
        {
          title: 'Key',
          class: 'name-cell',
          cell: ({ key_name }) => (
            <bdi class="name" title={key_name ?? ''}>
              {key_name ?? '–'}
            </bdi>
          ),
        },
        { title: 'Webhook', cell: webhookText },
      ]}
      actions={(job) =>
        isOpen(job) ? <RowAction text="Cancel" of={`job ${job.id}`} isDanger onClick={() => onCancel(job)} /> : null
      }
      details={(job) => <Details job={job} />}
    />
  );
};
