// The refinement thread, which keeps long texts from blocking the event loop.
import { parentPort, workerData } from 'node:worker_threads';
import { InlineRefinementStage } from './refinement-stage.ts';
import type { FromRefinementThread, RefinerModule, RefinerSource, ToRefinementThread } from './refinement-threads.ts';
import { countTokens } from './token-count.ts';

const { moduleUrl, settings, gateMemory } = workerData as RefinerSource & { gateMemory: SharedArrayBuffer };
const { createRefiner } = (await import(moduleUrl)) as RefinerModule;
const stage = new InlineRefinementStage(createRefiner(settings, gateMemory));
const stops = new Map<number, AbortController>();
const port = parentPort!;
const send = (message: FromRefinementThread): void => port.postMessage(message);

/** Where it failed, without the message, which could quote the transcript. */
const placeOf = (failure: unknown): string =>
  failure instanceof Error ? `${failure.name}${failure.stack?.match(/\n\s+at .*/)?.[0] ?? ''}` : typeof failure;

port.on('message', async (message: ToRefinementThread) => {
  if (message.kind === 'abort') {
    stops.get(message.id)?.abort();
    return;
  }
  const { id, input } = message;
  const stop = new AbortController();
  stops.set(id, stop);
  try {
    send({ kind: 'done', id, result: await stage.run(input, stop.signal) });
  } catch (failure) {
    send({ kind: 'failed', id, place: placeOf(failure) });
  } finally {
    stops.delete(id);
  }
});

// Load the tokenizer's tables before they are needed.
await countTokens('ready');
