// `faircopy listen`: streams the microphone, or a pipe, and prints what was said when it ends.
import type { TranscriptionStream } from '@faircopy/client';
import { LIMITS } from '@faircopy/contract';
import { type AddCommand, EXIT } from '../command.ts';
import { print } from '../output.ts';
import {
  addServiceOptions,
  errorJson,
  exitCodeOf,
  openClient,
  printable,
  type ServiceOptions,
  sentenceOf,
  wholeNumber,
} from '../service-client.ts';
import { StatusLine } from '../status-line.ts';

interface ListenOptions extends ServiceOptions {
  readonly sampleRate: number;
  readonly channels: number;
}

/** 128 and the number of the signal, as shells say it. */
const EXIT_INTERRUPTED = 130;

const listen = async (options: ListenOptions): Promise<void> => {
  const client = await openClient(options);
  if (!client) return;
  const { openSource } = await import('../audio-source.ts');
  const line = new StatusLine();
  let stream: TranscriptionStream | undefined;
  let source: Awaited<ReturnType<typeof openSource>> | undefined;
  let interrupts = 0;
  // The first asks for the answer to what was said so far; the second leaves without it.
  const onInterrupt = () => {
    interrupts += 1;
    if (interrupts === 1 && stream) source?.stop();
    else {
      stream?.abort(new Error('interrupted'));
      process.exitCode = EXIT_INTERRUPTED;
    }
  };
  process.on('SIGINT', onInterrupt);
  try {
    source = await openSource({ sampleRateHz: options.sampleRate, channels: options.channels === 2 ? 2 : 1 });
    const { model, language } = options;
    const { sampleRateHz, channels } = source.format;
    stream = client.stream({ model, language, sampleRate: sampleRateHz, channels });
    await stream.opened;
    if (source.kind === 'microphone') line.show('Listening. Press Ctrl-C when you are done.');
    await stream.sendAll(source.audio);
    line.show('Writing the fair copy.');
    const answer = await stream.finish();
    line.clear();
    await print(options.json ? `${JSON.stringify(answer)}\n` : `${printable(answer.result.transcript)}\n`);
  } catch (thrown) {
    line.clear();
    if (options.json) await print(`${JSON.stringify(errorJson(thrown))}\n`);
    else console.error(sentenceOf(thrown));
    process.exitCode ??= exitCodeOf(thrown);
  } finally {
    stream?.abort();
    source?.stop();
    process.off('SIGINT', onInterrupt);
  }
  process.exitCode ??= EXIT.ok;
};

export const addListen: AddCommand = (program) => {
  addServiceOptions(
    program
      .command('listen')
      .description('stream the microphone, or raw pcm16 or wav from a pipe, and print the transcript at the end'),
  )
    .option(
      '--sample-rate <hz>',
      'of raw audio; a wav file says its own',
      wholeNumber(LIMITS.sampleRateHzMin, LIMITS.sampleRateHzMax),
      LIMITS.sampleRateHzDefault,
    )
    .option('--channels <n>', 'of raw audio, 1 or 2', wholeNumber(1, LIMITS.channelsMax), LIMITS.channelsDefault)
    .action(listen);
};
