// `faircopy watch`: transcribes the recordings that appear in a folder or a bucket.
import { setTimeout as pause } from 'node:timers/promises';
import { secondsUpTo, wholeNumber } from '../arguments.ts';
import { addRecordingOptions, type RecordingOptions, requestOf } from '../client/recording-options.ts';
import { RecordingTranscriber } from '../client/recording-transcriber.ts';
import { sentenceOf } from '../client/service-client.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { print, sanitise } from '../output.ts';
import { openPlaces } from '../watch/open-places.ts';
import { AlreadyWatched, type FoundRecording } from '../watch/ports.ts';
import type { Result } from '../watch/transcribe-recording.ts';
import { TranscriptIndex } from '../watch/transcript-index.ts';
import { Watcher } from '../watch/watcher.ts';

interface WatchOptions extends RecordingOptions {
  readonly output?: string;
  readonly settle: number;
  readonly interval: number;
  readonly concurrency: number;
  readonly endpoint?: string;
}

const SETTLE_SECONDS_DEFAULT = 10;
const INTERVAL_SECONDS_DEFAULT = 5;
const DAY_SECONDS = 86_400;

/** The first signal lets recordings in progress finish; the second stops them. */
const onSignals = (): { leave: AbortController; stop: AbortController; close(): void } => {
  const [leave, stop] = [new AbortController(), new AbortController()];
  const onSignal = () => {
    if (leave.signal.aborted) return stop.abort(new Error('stopped'));
    console.error('Stopping when the recordings in progress are done. Send the signal again to stop at once.');
    leave.abort(new Error('stopping'));
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, onSignal);
  const close = () => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, onSignal);
  };
  return { leave, stop, close };
};

const watch = async (address: string, options: WatchOptions): Promise<void> => {
  const transcriber = await RecordingTranscriber.open(options);
  if (!transcriber) return;
  const signals = onSignals();
  try {
    process.exitCode = await watchWith(transcriber, address, options, signals);
  } catch (thrown) {
    if (signals.leave.signal.aborted) return;
    const isOwn = thrown instanceof AlreadyWatched;
    const place = (thrown as NodeJS.ErrnoException).path ?? address;
    console.error(isOwn ? sanitise(thrown.message) : `${sanitise(place)}: ${sentenceOf(thrown)}`);
    process.exitCode = isOwn ? EXIT.unavailable : EXIT.dataError;
  } finally {
    signals.close();
    await transcriber.close();
  }
};

/** Node 20 loads its HTTP parser with the first request, which hangs forever if its connection closes meanwhile. */
const loadHttpParser = async (url: string): Promise<void> => {
  const ended = new AbortController();
  const { signal } = ended;
  const asked = fetch(new URL('healthz', url.endsWith('/') ? url : `${url}/`), { signal }).catch(() => undefined);
  await Promise.race([asked, pause(2_000, undefined, { signal }).catch(() => undefined)]);
  ended.abort();
};

const watchWith = async (
  transcriber: RecordingTranscriber,
  address: string,
  options: WatchOptions,
  { leave, stop }: ReturnType<typeof onSignals>,
): Promise<number> => {
  const { settle, interval, concurrency, format } = options;
  const request = await requestOf(options);
  const { source, output } = await openPlaces(address, options.output ?? address, options.endpoint);
  try {
    // Listed before the lock is taken, so that a wrong name creates nothing.
    await source.list(leave.signal);
    const lock = await output.lock(leave.signal);
    lock.lost.addEventListener('abort', () => {
      leave.abort(lock.lost.reason);
      stop.abort(lock.lost.reason);
    });
    try {
      await loadHttpParser(options.url);
      const records = await output.records();
      const index = new TranscriptIndex(records);
      // Reserved by a run that ended before it wrote anything.
      for (const record of records)
        if (record.state === 'started' && !(await output.exists(record.output))) index.remove(record.output);
      const watcher = new Watcher({
        source,
        output,
        index,
        transcriber,
        request,
        format,
        address,
        concurrency,
        settleMs: 1000 * settle,
        intervalMs: 1000 * interval,
        signal: stop.signal,
        leave: leave.signal,
        onResult: (found, result) => report(found, result, (name) => output.addressOf(name), options),
      });
      console.error(`Watching ${sanitise(address)}.`);
      await watcher.run(await source.list(leave.signal));
      if (!lock.lost.aborted) return stop.signal.aborted ? EXIT.failed : EXIT.ok;
      console.error(sentenceOf(lock.lost.reason));
      return EXIT.unavailable;
    } finally {
      await lock.release();
    }
  } finally {
    await Promise.all([source.close(), output.close()]);
  }
};

const report = async (
  { address }: FoundRecording,
  result: Result,
  addressOf: (output: string) => string,
  { json }: WatchOptions,
): Promise<void> => {
  if (result.kind !== 'written') return;
  const output = addressOf(result.output);
  const line = json ? JSON.stringify({ file: address, output, ...result.answer }) : sanitise(`${address}: ${output}`);
  await print(`${line}\n`);
};

export const configureWatch: ConfigureCommand = (command) => {
  addRecordingOptions(command.argument('<place>', 'a folder, or s3://bucket/prefix'))
    .option(
      '-o, --output <place>',
      'a folder or s3://bucket/prefix for the transcripts; by default beside the recordings',
    )
    .option(
      '--settle <seconds>',
      'a recording is complete when it has not changed for this long',
      secondsUpTo(DAY_SECONDS),
      SETTLE_SECONDS_DEFAULT,
    )
    .option('--interval <seconds>', 'how often to check for files', secondsUpTo(DAY_SECONDS), INTERVAL_SECONDS_DEFAULT)
    .option('--concurrency <n>', 'recordings at the same time', wholeNumber(1, 64), 2)
    .option('--endpoint <address>', 'address of an S3-compatible service; by default AWS_ENDPOINT_URL, or AWS')
    .action(watch);
};
