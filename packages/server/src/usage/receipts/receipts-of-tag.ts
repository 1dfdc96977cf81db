// Lists the receipts of requests with a tag, one per line. Unlike the rows of an export, each is signed on its own.
import { eachUsage, type UsageQuery } from '../reports/records.ts';
import { issueReceipt, type ReceiptPorts } from './receipt.ts';

/** Newest first. */
export async function* receiptsOfTag(
  ports: ReceiptPorts,
  query: UsageQuery & { readonly tag: string },
): AsyncGenerator<string, void, undefined> {
  const { accountId } = query;
  for await (const { request_id: requestId } of eachUsage(ports.storage, query))
    yield `${await issueReceipt(ports, { accountId, requestId })}\n`;
}
