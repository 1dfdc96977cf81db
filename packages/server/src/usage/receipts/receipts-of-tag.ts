// The receipts of the requests with a tag, one per line. An export has every row; these are signed one by one.
import { eachUsage } from '../reports/records.ts';
import { issueReceipt, type ReceiptPorts } from './receipt.ts';

export interface TaggedRequests {
  readonly accountId: string;
  readonly tag: string;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** Newest first. */
export async function* receiptsOfTag(
  ports: ReceiptPorts,
  query: TaggedRequests,
  nowMs = Date.now(),
): AsyncGenerator<string, void, undefined> {
  const { accountId } = query;
  for await (const { request_id: requestId } of eachUsage(ports.storage, query))
    yield `${await issueReceipt(ports, { accountId, requestId }, nowMs)}\n`;
}
