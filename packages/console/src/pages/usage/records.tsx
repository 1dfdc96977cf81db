// The requests one by one, page after page, straight from the ledger.
import type { UsageQuery, UsageRecord } from '@faircopy/contract';
import { useEffect, useState } from 'preact/hooks';
import { receiptAddress } from '../../api/budgets.ts';
import { api } from '../../api/console.ts';
import { count, listTime, milliseconds, seconds } from '../../parts/format.ts';
import { number, StackTable } from '../../parts/stack-table.tsx';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { failureSentence, statusText } from './status-text.ts';

interface Pages {
  readonly records: readonly UsageRecord[];
  readonly nextCursor: string | null;
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: Error | null;
}

const NOTHING: Pages = { records: [], nextCursor: null, state: 'loading', error: null };

const stage = (value: number | null): string => (value === null ? '–' : milliseconds(value));

const Details = ({ accountId, record }: { accountId: string; record: UsageRecord }) => (
  <dl class="pairs details">
    {record.status === 'success' ? null : (
      <>
        <dt>What happened</dt>
        <dd>
          {failureSentence(record)} <code>{record.status}</code>
        </dd>
      </>
    )}
    <dt>Request</dt>
    <dd>
      <code>{record.request_id}</code>
    </dd>
    <dt>Key</dt>
    <dd>
      <bdi class="name">{record.key_name ?? 'none'}</bdi>
    </dd>
    <dt>Received in</dt>
    <dd>{stage(record.receive_ms)}</dd>
    <dt>Longest wait in the queue</dt>
    <dd>{stage(record.queue_ms)}</dd>
    <dt>Recognition after the end</dt>
    <dd>{stage(record.recognition_ms)}</dd>
    <dt>Refinement</dt>
    <dd>
      {stage(record.refinement_ms)}
      {record.refinement_fallback ? `, by rules alone: ${record.refinement_fallback}` : ''}
    </dd>
    <dt>Language</dt>
    <dd>{record.detected_language ?? 'not certain'}</dd>
    <dt>Tokens</dt>
    <dd>{count(record.output_token_count)}</dd>
    <dt>Receipt</dt>
    <dd>
      <a href={receiptAddress(accountId, record.request_id)} download>
        Download, signed
      </a>
    </dd>
  </dl>
);

const Row = ({ accountId, record }: { accountId: string; record: UsageRecord }) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <tr class="record">
        <td data-label="When">{listTime(record.created_at)}</td>
        <td data-label="Status">
          <span class={`tag ${record.status === 'success' ? 'tag-good' : 'tag-bad'}`}>{statusText(record.status)}</span>
        </td>
        <td data-label="Mode">{record.mode}</td>
        <td data-label="Model">{record.model ?? '–'}</td>
        <td data-label="Audio" class="number">
          {seconds(record.audio_seconds)}
        </td>
        <td data-label="Billed" class="number">
          {seconds(record.billed_audio_seconds)}
        </td>
        <td data-label="Key" class="name-cell">
          <bdi class="name" title={record.key_name ?? ''}>
            {record.key_name ?? '–'}
          </bdi>
        </td>
        <td class="row-actions">
          <button type="button" class="quiet-button" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Less' : 'Details'}
            <span class="unseen"> of {record.request_id}</span>
          </button>
        </td>
      </tr>
      {open ? (
        <tr class="record-details">
          <td colSpan={8}>
            <Details accountId={accountId} record={record} />
          </td>
        </tr>
      ) : null}
    </>
  );
};

export const UsageRecords = ({ accountId, filter }: { accountId: string; filter: UsageQuery }) => {
  const [pages, setPages] = useState<Pages>(NOTHING);
  const filterKey = JSON.stringify(filter);
  const fetchPage = (cursor: string | undefined, before: readonly UsageRecord[], isCurrent: () => boolean) => {
    setPages((now) => ({ ...now, state: 'loading', error: null }));
    return api.usageRecords(accountId, filter, cursor).then(
      (page) =>
        isCurrent() &&
        setPages({ records: [...before, ...page.records], nextCursor: page.next_cursor, state: 'ready', error: null }),
      (error: Error) => isCurrent() && setPages((now) => ({ ...now, state: 'failed', error })),
    );
  };
  useEffect(() => {
    let current = true;
    setPages(NOTHING);
    void fetchPage(undefined, [], () => current);
    return () => {
      current = false;
    };
  }, [accountId, filterKey]);

  if (pages.state === 'ready' && pages.records.length === 0) return <Empty title="No request matches">{null}</Empty>;
  const more = () => void fetchPage(pages.nextCursor ?? undefined, pages.records, () => true);
  return (
    <>
      {pages.records.length > 0 ? (
        <StackTable
          heads={['When', 'Status', 'Mode', 'Model', number('Audio'), number('Billed'), 'Key']}
          unseenHead="Details"
          kind="ledger"
          testId="records"
        >
          {pages.records.map((record) => (
            <Row key={record.request_id} accountId={accountId} record={record} />
          ))}
        </StackTable>
      ) : null}
      {pages.state === 'loading' ? <Loading what="requests" /> : null}
      {pages.error ? <Failure error={pages.error} retry={more} /> : null}
      {pages.nextCursor && pages.state === 'ready' ? (
        <button type="button" onClick={more}>
          Show older requests
        </button>
      ) : null}
    </>
  );
};
