// `faircopy transcribe`: sends recordings to a running service and prints what was said, or writes it to files.
import { basename } from 'node:path';
import type { Faircopy, UploadProgress } from '@faircopy/client';
import type { SuccessResponse } from '@faircopy/contract';
import { Option } from 'commander';
import { createUploadDecoding } from '../../audio/create-upload-decoding.ts';
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import { recordingOf } from '../client/recording-upload.ts';
import {
  addServiceOptions,
  errorJson,
  exitCodeOf,
  openClient,
  printable,
  type ServiceOptions,
  sentenceOf,
  wholeNumber,
} from '../client/service-client.ts';
import { isDone, planTranscripts, type TranscriptJob, writeTranscript } from '../client/transcript-files.ts';
import { formatAnswer, includesFor, TRANSCRIPT_FORMATS, type TranscriptFormat } from '../client/transcript-format.ts';
import { TranscriptionProgress } from '../client/transcription-progress.ts';
import { type AddCommand, EXIT } from '../command.ts';
import { harmless, print } from '../output.ts';

interface TranscribeOptions extends ServiceOptions {
  readonly concurrency: number;
  readonly format: TranscriptFormat;
  readonly output?: string;
  readonly force?: boolean;
  readonly term?: readonly string[];
}

/** What has become of one recording. */
type Outcome = { readonly answer: SuccessResponse } | { readonly failure: unknown } | 'done before';

interface Run {
  readonly client: Faircopy;
  readonly decoding: UploadDecoding;
  readonly options: TranscribeOptions;
  readonly progress: TranscriptionProgress;
  readonly signal: AbortSignal;
}

const transcribe = async (paths: readonly string[], options: TranscribeOptions): Promise<void> => {
  const client = await openClient(options);
  if (!client) return;
  const jobs = await planTranscripts(paths, options.output, options.format);
  if (jobs.length === 0) {
    console.error('There are no recordings in what was named.');
    process.exitCode = EXIT.dataError;
    return;
  }
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt);
  const progress = new TranscriptionProgress(jobs.length);
  const decoding = createUploadDecoding();
  const outcomes = startAll(jobs, { client, decoding, options, progress, signal: stop.signal });
  const exitCodes = new Set<number>();
  let doneBefore = 0;
  try {
    // In the order of the recordings, whichever is ready first.
    for (const [index, job] of jobs.entries()) {
      const outcome = await outcomes[index]!;
      progress.hide();
      if (outcome === 'done before') doneBefore += 1;
      else if ('failure' in outcome) exitCodes.add(exitCodeOf(outcome.failure));
      if (!(await printOutcome(job, outcome, jobs.length, options))) return;
    }
  } finally {
    stop.abort(new Error('stopped'));
    process.off('SIGINT', onInterrupt);
    progress.hide();
    await decoding.close();
  }
  if (doneBefore > 0) console.error(`${doneBefore} of ${jobs.length} were there already; --force makes them again.`);
  process.exitCode = exitCodes.size > 1 ? EXIT.failed : ([...exitCodes][0] ?? EXIT.ok);
};

/** A few at a time; every promise settles, and none rejects. */
const startAll = (jobs: readonly TranscriptJob[], run: Run): Promise<Outcome>[] => {
  const running: Promise<unknown>[] = [];
  return jobs.map((job, index) => {
    const turn = running[index - run.options.concurrency] ?? Promise.resolve();
    const outcome = turn.then(async (): Promise<Outcome> => {
      try {
        return await runOne(job, run);
      } catch (failure) {
        return { failure };
      } finally {
        run.progress.done(job.recording);
      }
    });
    running.push(outcome);
    return outcome;
  });
};

const runOne = async (job: TranscriptJob, { client, decoding, options, progress, signal }: Run): Promise<Outcome> => {
  signal.throwIfAborted();
  if (!options.force && (await isDone(job))) return 'done before';
  const { model, language, format, term: vocabulary = [] } = options;
  const { recording, output } = job;
  const answer = await client.transcribe(await recordingOf(recording, decoding), {
    model,
    language,
    include: includesFor(format),
    vocabulary,
    fileName: recording === '-' ? 'audio' : basename(recording),
    signal,
    onProgress: (sent: UploadProgress) => progress.uploading(recording, sent),
  });
  // As soon as it is there: what is done stays done if the run is broken off.
  if (output !== null) await writeTranscript(output, formatAnswer(answer, format));
  return { answer };
};

/** False when nobody reads on. */
const printOutcome = async (
  { recording, output }: TranscriptJob,
  outcome: Outcome,
  count: number,
  { json, format }: TranscribeOptions,
): Promise<boolean> => {
  if (outcome === 'done before') return true;
  if (json) {
    const answer = 'answer' in outcome ? outcome.answer : errorJson(outcome.failure);
    return print(`${JSON.stringify({ file: recording, ...answer })}\n`);
  }
  if ('failure' in outcome) {
    console.error(`${harmless(recording)}: ${sentenceOf(outcome.failure)}`);
    return true;
  }
  if (output !== null) return true;
  const title = count > 1 ? `${harmless(recording)}:\n` : '';
  return print(`${title}${printable(formatAnswer(outcome.answer, format))}${count > 1 ? '\n' : ''}`);
};

export const addTranscribe: AddCommand = (program) => {
  addServiceOptions(
    program
      .command('transcribe')
      .description('transcribe recordings (wav, ogg, webm, mp3, m4a, mp4, flac, aac, aiff) with a running service')
      .argument('<path...>', 'recordings, or folders of them; - reads one from standard input'),
  )
    .addOption(new Option('--format <format>', 'how to write it').choices(TRANSCRIPT_FORMATS).default('txt'))
    .option('-o, --output <path>', 'write to this file, or below this folder; what is there already is not made again')
    .option('--force', 'make transcripts again that are there already')
    .option('--term <term...>', 'terms that are likely to be said: names, products, jargon')
    .option('--concurrency <n>', 'recordings at the same time', wholeNumber(1, 64), 2)
    .action(transcribe);
};
