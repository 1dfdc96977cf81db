// `faircopy transcribe`: sends recordings to a running server; prints the transcripts or writes them to files.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Faircopy, UploadProgress } from '@faircopy/client';
import { type JobObject, SPEAKERS_MAX, type SuccessResponse } from '@faircopy/contract';
import { Option } from 'commander';
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import { Fault } from '../../lib/fault.ts';
import { wholeNumber } from '../arguments.ts';
import { JobClient } from '../client/job-client.ts';
import {
  addServiceOptions,
  apiKeyOf,
  errorJson,
  exitCodeOf,
  openClient,
  type ServiceOptions,
  sentenceOf,
} from '../client/service-client.ts';
import { type PlannedTranscript, planTranscripts } from '../client/transcript-files.ts';
import { formatAnswer, includesFor, TRANSCRIPT_FORMATS, type TranscriptFormat } from '../client/transcript-format.ts';
import { TranscriptSources } from '../client/transcript-sources.ts';
import { TranscriptionProgress } from '../client/transcription-progress.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { print, sanitise, sanitiseLines } from '../output.ts';

interface TranscribeOptions extends ServiceOptions {
  readonly concurrency: number;
  readonly format: TranscriptFormat;
  readonly output?: string;
  readonly force?: boolean;
  readonly term?: readonly string[];
  readonly vocabulary?: string;
  /** Any number of people, or this many. */
  readonly speakers?: 'any' | number;
  readonly knownVoices?: boolean;
}

type Outcome = { readonly answer: SuccessResponse } | { readonly failure: unknown } | 'up to date';

interface Run {
  readonly client: Faircopy;
  readonly jobs: JobClient;
  readonly decoding: UploadDecoding;
  readonly sources: TranscriptSources;
  readonly options: TranscribeOptions;
  readonly vocabulary: readonly string[];
  readonly progress: TranscriptionProgress;
  readonly signal: AbortSignal;
}

const transcribe = async (paths: readonly string[], options: TranscribeOptions): Promise<void> => {
  const client = await openClient(options);
  if (!client) return;
  const vocabulary = [...(options.term ?? []), ...(await termsIn(options.vocabulary))];
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
  const { createUploadDecoding } = await import('../../audio/create-upload-decoding.ts');
  const decoding: UploadDecoding = createUploadDecoding();
  const outcomes = startAll(planned, {
    client,
    jobs: new JobClient({ url: options.url, apiKey: apiKeyOf(options) }),
    decoding,
    sources: new TranscriptSources(),
    options,
    vocabulary,
    progress,
    signal: stop.signal,
  });
  const counts = { written: 0, skipped: 0, failed: 0 };
  let exitCode: number = EXIT.ok;
  try {
    // Printed in the order of the recordings.
    for (const [index, transcript] of planned.entries()) {
      const outcome = await outcomes[index]!;
      progress.hide();
      if (outcome === 'up to date') counts.skipped += 1;
      else if ('failure' in outcome) {
        counts.failed += 1;
        exitCode = planned.length > 1 ? EXIT.failed : exitCodeOf(outcome.failure);
      } else counts.written += 1;
      if (!(await printOutcome(transcript, outcome, planned.length, options))) return;
    }
  } finally {
    stop.abort(new Error('stopped'));
    process.off('SIGINT', onInterrupt);
    progress.hide();
    await decoding.close();
  }
  if (options.output !== undefined && (planned.length > 1 || counts.skipped > 0)) {
    const hint = counts.skipped > 0 ? '; --force writes them again' : '';
    console.error(`${counts.written} written, ${counts.skipped} skipped (up to date${hint}), ${counts.failed} failed.`);
  }
  process.exitCode = exitCode;
};

/** Empty lines, and lines that begin with #, are left out. */
const termsIn = async (file: string | undefined): Promise<string[]> => {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Fault('INVALID_REQUEST', { message: `The terms cannot be read: ${cause.message}`, cause });
  });
  const lines = text.split(/\r?\n/u).map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
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

const runOne = async (transcript: PlannedTranscript, run: Run): Promise<Outcome> => {
  const { options, sources, signal } = run;
  signal.throwIfAborted();
  const state = options.force ? 'absent' : await sources.stateOf(transcript);
  if (state === 'up to date') return state;
  if (state === 'of another recording')
    throw new Error(`${transcript.output} exists and did not come from this recording; --force replaces it.`);
  const answer = await answerFor(transcript.recording, run);
  // Written at once, so that an interrupted run keeps it.
  await sources.write(transcript, formatAnswer(answer, options.format));
  return { answer };
};

const answerFor = async (recording: string, run: Run): Promise<SuccessResponse> => {
  const { client, jobs, decoding, options, vocabulary, progress, signal } = run;
  const [{ acceptedEverywhere, blobOf }, { isTooLong, transcribeAsJob }] = await Promise.all([
    import('../client/recording-upload.ts'),
    import('../client/long-recording.ts'),
  ]);
  const audio = await blobOf(recording);
  const request = {
    model: options.model,
    language: options.language,
    languages: options.languages,
    redact: options.redact,
    include: includesFor(options.format),
    vocabulary,
    ...speakersAsked(options),
    fileName: recording === '-' ? 'audio' : basename(recording),
  };
  const onProgress = (sent: UploadProgress) => progress.uploading(recording, sent);
  if (await isTooLong(audio, decoding)) {
    const caller = { url: options.url, apiKey: apiKeyOf(options) };
    const onJob = (job: JobObject) => progress.job(recording, job);
    return transcribeAsJob(jobs, { recording, audio, options: request, caller }, { signal, onProgress, onJob });
  }
  return client.transcribe(await acceptedEverywhere(audio, decoding), { ...request, signal, onProgress });
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

const speakersAsked = ({ speakers, knownVoices }: TranscribeOptions) =>
  (speakers !== undefined || knownVoices) && {
    speakers: {
      ...(typeof speakers === 'number' && { count: speakers }),
      ...(knownVoices && { knownVoices: true as const }),
    },
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
    .option('-o, --output <path>', 'write to this file or folder; transcripts of unchanged recordings are kept')
    .option('--force', 'write transcripts again, whatever they came from')
    .option('--speakers [n]', 'who said what; =N when N people speak', speakersOf)
    .option('--known-voices', 'who said what, with the names of enrolled people')
    .option('--term <term...>', 'expected terms: names, products, jargon')
    .option('--vocabulary <file>', 'a file with expected terms, one per line')
    .option('--concurrency <n>', 'recordings at the same time', wholeNumber(1, 64), 2)
    .action(transcribe);
};
