// The contract's own endpoints: files, streams and receipts.
import type { FastifyInstance } from 'fastify';
import { addTranscribe, type TranscribeParts } from './file/endpoint.ts';
import { addReceipts, type ReceiptRouteParts } from './receipts.ts';
import { addNativeStream, type NativeStreamParts } from './stream/endpoint.ts';

export const addNative = (
  app: FastifyInstance,
  parts: TranscribeParts & NativeStreamParts & ReceiptRouteParts,
): void => {
  addTranscribe(app, parts);
  addNativeStream(app, parts);
  addReceipts(app, parts);
};
