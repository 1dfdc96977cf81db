// `faircopy transcribe`: sends recordings to a running server; prints the transcripts or writes them to files.
import { basename } from 'node:path';
import type { Faircopy, UploadProgress } from '@faircopy/client';
import { SPEAKERS_MAX, type SuccessResponse } from '@faircopy/contract';
import { Option } from 'commander';
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import { wholeNumber } from '../arguments.ts';
import {
  addServiceOptions,
  errorJson,
  exitCodeOf,
  openClient,
  type ServiceOptions,
  sentenceOf,
} from '../client/service-client.ts';
import { isUpToDate, type PlannedTranscript, planTranscripts, writeTranscript } from '../client/transcript-files.ts';
import { formatAnswer, includesFor, TRANSCRIPT_FORMATS, type TranscriptFormat } from '../client/transcript-format.ts';
import { TranscriptionProgress } from '../client/transcription-progress.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { print, sanitise, sanitiseLines } from '../output.ts';

interface TranscribeOptions extends ServiceOptions {
  readonly concurrency: number;
  readonly format: TranscriptFormat;
  readonly output?: string;
  readonly force?: boolean;
  readonly term?: readonly string[];
  /** Any number of people, or this many. */
  readonly speakers?: 'any' | number;
}

type Outcome = { readonly answer: SuccessResponse } | { readonly failure: unknown } | 'up to date';

interface Run {
  readonly client: Faircopy;
  readonly recordingOf: (file: string) => Promise<Blob>;
  readonly options: TranscribeOptions;
  readonly progress: TranscriptionProgress;
  readonly signal: AbortSignal;
}

const transcribe = async (paths: readonly string[], options: TranscribeOptions): Promise<void> => {
  const client = await openClient(options);
  if (!client) return;
  const planned = await planTranscripts(paths, options.output, options.format);
  if (planned.length === 0) {
    console.error('There are no recordings in these folders.');
    process.exitCode = EXIT.dataError;
    return;
  }
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt);
  const progress = new TranscriptionProgress(planned.length);
  const [{ createUploadDecoding }, { recordingOf }] = await Promise.all([
    import('../../audio/create-upload-decoding.ts'),
    import('../client/recording-upload.ts'),
  ]);
  const decoding: UploadDecoding = createUploadDecoding();
  const outcomes = startAll(planned, {
    client,
    recordingOf: (file) => recordingOf(file, decoding),
    options,
    progress,
    signal: stop.signal,
  });
  const exitCodes = new Set<number>();
  let upToDate = 0;
  try {
    // Printed in the order of the recordings.
    for (const [index, transcript] of planned.entries()) {
      const outcome = await outcomes[index]!;
      progress.hide();
      if (outcome === 'up to date') upToDate += 1;
      else if ('failure' in outcome) exitCodes.add(exitCodeOf(outcome.failure));
      if (!(await printOutcome(transcript, outcome, planned.length, options))) return;
    }
  } finally {
    stop.abort(new Error('stopped'));
    process.off('SIGINT', onInterrupt);
    progress.hide();
    await decoding.close();
  }
  if (upToDate > 0)
    console.error(`${upToDate} of ${planned.length} transcripts already exist; --force writes them again.`);
  process.exitCode = exitCodes.size > 1 ? EXIT.failed : ([...exitCodes][0] ?? EXIT.ok);
};

/** A few at a time; no promise rejects. */
const startAll = (planned: readonly PlannedTranscript[], run: Run): Promise<Outcome>[] => {
  const running: Promise<unknown>[] = [];
  return planned.map((transcript, index) => {
    const turn = running[index - run.options.concurrency] ?? Promise.resolve();
    const outcome = turn.then(async (): Promise<Outcome> => {
      try {
        return await runOne(transcript, run);
      } catch (failure) {
        return { failure };
      } finally {
        run.progress.done(transcript.recording);
      }
    });
    running.push(outcome);
    return outcome;
  });
};

const runOne = async (
  transcript: PlannedTranscript,
  { client, recordingOf, options, progress, signal }: Run,
): Promise<Outcome> => {
  signal.throwIfAborted();
  if (!options.force && (await isUpToDate(transcript))) return 'up to date';
  const { model, language, format, term: vocabulary = [], speakers } = options;
  const { recording, output } = transcript;
  const answer = await client.transcribe(await recordingOf(recording), {
    model,
    language,
    include: includesFor(format),
    vocabulary,
    ...(speakers !== undefined && { speakers: speakers === 'any' || { count: speakers } }),
    fileName: recording === '-' ? 'audio' : basename(recording),
    signal,
    onProgress: (sent: UploadProgress) => progress.uploading(recording, sent),
  });
  // Written at once, so that an interrupted run keeps it.
  if (output !== null) await writeTranscript(output, formatAnswer(answer, format));
  return { answer };
};

/** False when the reader of the output has left. */
const printOutcome = async (
  { recording, output }: PlannedTranscript,
  outcome: Outcome,
  count: number,
  { json, format }: TranscribeOptions,
): Promise<boolean> => {
  if (outcome === 'up to date') return true;
  if (json) {
    const answer = 'answer' in outcome ? outcome.answer : errorJson(outcome.failure);
    return print(`${JSON.stringify({ file: recording, ...answer })}\n`);
  }
  if ('failure' in outcome) {
    console.error(`${sanitise(recording)}: ${sentenceOf(outcome.failure)}`);
    return true;
  }
  if (output !== null) return true;
  const title = count > 1 ? `${sanitise(recording)}:\n` : '';
  return print(`${title}${sanitiseLines(formatAnswer(outcome.answer, format))}${count > 1 ? '\n' : ''}`);
};

const speakersOf = (text: string): 'any' | number => (text === 'any' ? text : wholeNumber(1, SPEAKERS_MAX)(text));

/** `--speakers` alone takes no value, so that a path may follow it. */
const withBareSpeakers = (args: readonly string[]): string[] =>
  args.map((arg) => (arg === '--speakers' ? '--speakers=any' : arg));

export const configureTranscribe: ConfigureCommand = (command) => {
  const parseOptions = command.parseOptions.bind(command);
  command.parseOptions = (args) => parseOptions(withBareSpeakers(args));
  addServiceOptions(command.argument('<path...>', 'recordings or folders; - for standard input'))
    .addOption(new Option('--format <format>', 'output format').choices(TRANSCRIPT_FORMATS).default('txt'))
    .option('-o, --output <path>', 'write to this file or folder; existing transcripts are kept')
    .option('--force', 'write existing transcripts again')
    .option('--speakers [n]', 'who said what; =N when N people speak', speakersOf)
    .option('--term <term...>', 'expected terms: names, products, jargon')
    .option('--concurrency <n>', 'recordings at the same time', wholeNumber(1, 64), 2)
    .action(transcribe);
};
