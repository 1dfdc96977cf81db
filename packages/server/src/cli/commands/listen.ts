// `faircopy listen`: streams the microphone or a pipe to a running server and prints the transcript.
import type { LiveStream, TranscriptionStream } from '@faircopy/client';
import { LIMITS } from '@faircopy/contract';
import { wholeNumber } from '../arguments.ts';
import { type AudioSource, openSource } from '../client/audio-source.ts';
import { Captions } from '../client/captions.ts';
import {
  addServiceOptions,
  errorJson,
  exitCodeOf,
  openClient,
  type ServiceOptions,
  sentenceOf,
} from '../client/service-client.ts';
import { StatusLine } from '../client/status-line.ts';
import { FormatFault } from '../client/wav-header.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { print, sanitise, sanitiseLines } from '../output.ts';

interface ListenOptions extends ServiceOptions {
  readonly live?: boolean;
  readonly sampleRate: number;
  readonly channels: number;
}

/** 128 plus the number of SIGINT, as shells report it. */
const EXIT_INTERRUPTED = 130;

/** Waits for the first audio; null if there is none. */
const begun = async (audio: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer> | null> => {
  const chunks = audio[Symbol.asyncIterator]();
  let first = await chunks.next();
  while (!first.done && first.value.length === 0) first = await chunks.next();
  if (first.done) return null;
  return (async function* () {
    yield first.value;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  })();
};

const listen = async (options: ListenOptions): Promise<void> => {
  const client = await openClient(options);
  if (!client) return;
  const line = new StatusLine();
  let stream: TranscriptionStream | LiveStream | undefined;
  let source: AudioSource | undefined;
  let interrupts = 0;
  // The first interrupt ends the audio and waits for its transcript; the second exits without it.
  const onInterrupt = () => {
    interrupts += 1;
    if (interrupts === 1 && source) source.stop();
    else {
      stream?.abort(new Error('interrupted'));
      process.exitCode = EXIT_INTERRUPTED;
    }
  };
  process.on('SIGINT', onInterrupt);
  try {
    source = await openSource({ sampleRateHz: options.sampleRate, channels: options.channels === 2 ? 2 : 1 });
    const { model, language, languages, redact } = options;
    const { sampleRateHz, channels } = source.format;
    if (source.kind === 'microphone') line.show('Listening. Press Ctrl-C to stop.');
    // Opened with the first audio: an idle pipe uses no stream slot.
    const audio = await begun(source.audio);
    if (audio === null) throw new FormatFault('There was no audio to transcribe.');
    const stopSource = () => source?.stop();
    if (options.live) {
      const captions = new Captions(line, options.json);
      const live = client.live({
        model,
        language,
        languages,
        redact,
        sampleRate: sampleRateHz,
        channels,
        onEvent: (each) => captions.add(each),
      });
      stream = live;
      // The server may end the stream while the source is silent.
      live.transcript.then(stopSource, stopSource);
      await live.opened;
      await live.sendAll(audio);
      await live.finish();
      await captions.end();
      if (live.endReason === '') return;
      console.error(`The server ended the stream: ${sanitise(live.endReason)}`);
      process.exitCode = EXIT.unavailable;
      return;
    }
    stream = client.stream({ model, language, languages, redact, sampleRate: sampleRateHz, channels });
    stream.result.then(stopSource, stopSource);
    await stream.opened;
    await stream.sendAll(audio);
    line.show('Transcribing.');
    const answer = await stream.finish();
    line.clear();
    await print(options.json ? `${JSON.stringify(answer)}\n` : `${sanitiseLines(answer.result.transcript)}\n`);
  } catch (thrown) {
    line.clear();
    if (options.json) await print(`${JSON.stringify(errorJson(thrown))}\n`);
    else console.error(sentenceOf(thrown));
    process.exitCode ??= thrown instanceof FormatFault ? EXIT.dataError : exitCodeOf(thrown);
  } finally {
    stream?.abort();
    source?.stop();
    process.off('SIGINT', onInterrupt);
  }
  process.exitCode ??= EXIT.ok;
};

export const configureListen: ConfigureCommand = (command) => {
  addServiceOptions(command)
    .option(
      '--sample-rate <hz>',
      'raw audio sample rate; wav files contain their own',
      wholeNumber(LIMITS.sampleRateHzMin, LIMITS.sampleRateHzMax),
      LIMITS.sampleRateHzDefault,
    )
    .option('--live', 'print each utterance when it is final; with --json one event per line')
    .option('--channels <n>', 'raw audio channels, 1 or 2', wholeNumber(1, LIMITS.channelsMax), LIMITS.channelsDefault)
    .action(listen);
};
