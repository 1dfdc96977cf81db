// The thread that refines and counts, so that a long text never holds up the event loop.
import { parentPort, workerData } from 'node:worker_threads';
import { InlineTextStage } from './text-stage.ts';
import type { FromTextThread, RefinerModule, RefinerSource, ToTextThread } from './text-thread.ts';
import { countTokens } from './tokens.ts';

const { moduleUrl, settings, gateMemory } = workerData as RefinerSource & { gateMemory: SharedArrayBuffer };
const { createRefiner } = (await import(moduleUrl)) as RefinerModule;
const stage = new InlineTextStage(createRefiner(settings, gateMemory));
const stops = new Map<number, AbortController>();
const port = parentPort!;
const send = (message: FromTextThread): void => port.postMessage(message);

/** Where it failed, without the message: that could quote what was said. */
const placeOf = (failure: unknown): string =>
  failure instanceof Error ? `${failure.name}${failure.stack?.match(/\n\s+at .*/)?.[0] ?? ''}` : typeof failure;

port.on('message', async (message: ToTextThread) => {
  if (message.kind === 'abort') {
    stops.get(message.id)?.abort();
    return;
  }
  const { id, input } = message;
  const stop = new AbortController();
  stops.set(id, stop);
  try {
    send({ kind: 'written', id, written: await stage.write(input, stop.signal) });
  } catch (failure) {
    send({ kind: 'failed', id, place: placeOf(failure) });
  } finally {
    stops.delete(id);
  }
});

// Loads the tables of the tokenizer before somebody waits for them.
await countTokens('ready');
