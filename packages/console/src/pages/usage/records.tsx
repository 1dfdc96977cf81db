// The requests of the account, page by page.
import type { Prices, UsageQuery, UsageRecord } from '@faircopy/contract';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Empty, ErrorNotice, Loading } from '../../components/states.tsx';
import { Tag } from '../../components/tag.tsx';
import { alignedPrice, alignedSeconds, count, exactTime, listTimeExact, milliseconds, timeZone } from '../../format.ts';
import { useSession } from '../../session.ts';
import { failureText, statusText } from './status-text.ts';

interface Pages {
  readonly records: readonly UsageRecord[];
  readonly nextCursor: string | null;
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: Error | null;
}

const NO_PAGES: Pages = { records: [], nextCursor: null, state: 'loading', error: null };

const millisecondsOrDash = (value: number | null): string => (value === null ? '–' : milliseconds(value));

/** Null without a price. */
const costOf = ({ model, billed_audio_seconds }: UsageRecord, prices: Prices | null): string | null =>
  prices && alignedPrice(((model ? (prices.per_hour[model] ?? 0) : 0) * billed_audio_seconds) / 3600, prices.currency);

const Details = ({ accountId, record }: { accountId: string; record: UsageRecord }) => (
  <Facts
    class="details"
    facts={[
      ['Answered', exactTime(record.created_at)],
      record.status !== 'success' && ['Error', failureText(record)],
      ['Request', <code>{record.request_id}</code>],
      ['Key', <bdi class="name">{record.key_name ?? 'none'}</bdi>],
      ['Upload', millisecondsOrDash(record.receive_ms)],
      ['Longest queue wait', millisecondsOrDash(record.queue_ms)],
      ['Recognition after the audio ended', millisecondsOrDash(record.recognition_ms)],
      [
        'Refinement',
        `${millisecondsOrDash(record.refinement_ms)}${record.refinement_fallback ? `, rules only: ${record.refinement_fallback}` : ''}`,
      ],
      record.effort === 'reduced' && ['Effort', 'reduced, to answer in time'],
      ['Language', record.detected_language ?? 'uncertain'],
      ['Tokens', count(record.output_token_count)],
      record.tags.length > 0 && ['Tags', <bdi class="name">{record.tags.join(', ')}</bdi>],
      [
        'Receipt',
        <a href={api.receiptUrl(accountId, record.request_id)} download>
          Download signed receipt
        </a>,
      ],
    ]}
  />
);

export const UsageRecords = ({ accountId, filter }: { accountId: string; filter: UsageQuery }) => {
  const { prices } = useSession().me.server;
  const [pages, setPages] = useState<Pages>(NO_PAGES);
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
    setPages(NO_PAGES);
    void fetchPage(undefined, [], () => current);
    return () => {
      current = false;
    };
  }, [accountId, filterKey]);

  if (pages.state === 'ready' && pages.records.length === 0) return <Empty title="No matching requests" />;
  const more = () => void fetchPage(pages.nextCursor ?? undefined, pages.records, () => true);
  return (
    <>
      {pages.records.length > 0 ? (
        <DataTable
          rows={pages.records}
          keyOf={({ request_id }) => request_id}
          isCompact
          testId="records"
          columns={[
            { title: `When (${timeZone})`, cell: ({ created_at }) => listTimeExact(created_at) },
            {
              title: 'Status',
              cell: ({ status }) => <Tag state={[statusText(status), status === 'success' ? 'good' : 'bad']} />,
            },
            { title: 'Mode', cell: ({ mode }) => mode },
            { title: 'Model', cell: ({ model }) => model ?? '–' },
            { title: 'Audio (s)', class: 'number', cell: ({ audio_seconds }) => alignedSeconds(audio_seconds) },
            {
              title: 'Billed (s)',
              class: 'number',
              cell: ({ billed_audio_seconds }) => alignedSeconds(billed_audio_seconds),
            },
            ...(prices
              ? [{ title: 'Cost', class: 'number', cell: (record: UsageRecord) => costOf(record, prices) }]
              : []),
            {
              title: 'Key',
              class: 'name-cell',
              cell: ({ key_name }) => (
                <bdi class="name" title={key_name ?? ''}>
                  {key_name ?? '–'}
                </bdi>
              ),
            },
          ]}
          details={(record) => <Details accountId={accountId} record={record} />}
        />
      ) : null}
      {pages.state === 'loading' ? <Loading what="requests" /> : null}
      {pages.error ? <ErrorNotice error={pages.error} retry={more} /> : null}
      {pages.nextCursor && pages.state === 'ready' ? (
        <button type="button" onClick={more}>
          Show older requests
        </button>
      ) : null}
    </>
  );
};
