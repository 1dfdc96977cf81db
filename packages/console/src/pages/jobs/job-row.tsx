// A job of the list: what became of it, and behind a button everything else that is known.
import type { JobObject } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { receiptAddress } from '../../api/budgets.ts';
import { amount, bytes, counted, listTime, time } from '../../parts/format.ts';
import { useSession } from '../../session.ts';
import { isOpen, stateText, toneOf, webhookText } from './job-words.ts';

export const JOB_COLUMNS = ['Sent', 'State', 'Model', 'Size', 'Took', 'Webhook'] as const;

const tookText = ({ started_at, ended_at }: JobObject): string =>
  started_at === null || ended_at === null ? '–' : amount((Date.parse(ended_at) - Date.parse(started_at)) / 1000);

const Webhook = ({ job: { webhook } }: { job: JobObject }) =>
  webhook === null ? null : (
    <>
      <dt>Webhook</dt>
      <dd>
        {counted(webhook.attempts, 'attempt')}
        {webhook.fault === null ? '' : `. The last one failed: ${webhook.fault}`}
      </dd>
    </>
  );

const Details = ({ job }: { job: JobObject }) => {
  const { accountId } = useSession();
  return (
    <dl class="pairs details">
      {job.error === null ? null : (
        <>
          <dt>What happened</dt>
          <dd>
            {job.error.message} <code>{job.error.code}</code>
          </dd>
        </>
      )}
      <dt>Job</dt>
      <dd>
        <code>{job.id}</code>
      </dd>
      <dt>Begun</dt>
      <dd>{job.started_at === null ? 'not yet' : time(job.started_at)}</dd>
      <dt>Ended</dt>
      <dd>{job.ended_at === null ? 'not yet' : time(job.ended_at)}</dd>
      <dt>Kept until</dt>
      <dd>{time(job.expires_at)}</dd>
      <Webhook job={job} />
      {job.state === 'succeeded' ? (
        <>
          <dt>Receipt</dt>
          <dd>
            <a href={receiptAddress(accountId, job.id)} download>
              Download, signed
            </a>
          </dd>
        </>
      ) : null}
    </dl>
  );
};

export const JobRow = ({ job, onCancel }: { job: JobObject; onCancel: () => void }) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <tr class="record">
        <td data-label="Sent">{listTime(job.created_at)}</td>
        <td data-label="State">
          <span class={`tag ${toneOf(job)}`}>{stateText(job)}</span>
        </td>
        <td data-label="Model">{job.model}</td>
        <td data-label="Size" class="number">
          {bytes(job.audio_bytes)}
        </td>
        <td data-label="Took" class="number">
          {tookText(job)}
        </td>
        <td data-label="Webhook">{webhookText(job)}</td>
        <td class="row-actions">
          {isOpen(job) ? (
            <button type="button" class="quiet-button danger-text" onClick={onCancel}>
              Cancel<span class="unseen"> job {job.id}</span>
            </button>
          ) : null}
          <button type="button" class="quiet-button" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Less' : 'Details'}
            <span class="unseen"> of {job.id}</span>
          </button>
        </td>
      </tr>
      {open ? (
        <tr class="record-details">
          <td colSpan={JOB_COLUMNS.length + 1}>
            <Details job={job} />
          </td>
        </tr>
      ) : null}
    </>
  );
};
