// The contract's own endpoints: files, streams, receipts and usage.
import type { FastifyInstance } from 'fastify';
import { addTranscribe, type TranscribeParts } from './file/endpoint.ts';
import { addReceipts, type ReceiptRouteParts } from './receipts.ts';
import { addNativeStream, type NativeStreamParts } from './stream/endpoint.ts';
import { addUsage, type UsageRouteParts } from './usage.ts';

export const addNative = (
  app: FastifyInstance,
  parts: TranscribeParts & NativeStreamParts & ReceiptRouteParts & UsageRouteParts,
): void => {
  addTranscribe(app, parts);
  addNativeStream(app, parts);
  addReceipts(app, parts);
  addUsage(app, parts);
};
