// `faircopy transcribe`: sends recordings to a running server; prints the transcripts or writes them to files.
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { UploadProgress } from '@faircopy/client';
import type { JobObject, SuccessResponse } from '@faircopy/contract';
import { wholeNumber } from '../arguments.ts';
import {
  addRecordingOptions,
  type RecordingOptions,
  type RecordingRequest,
  requestOf,
} from '../client/recording-options.ts';
import { RecordingTranscriber } from '../client/recording-transcriber.ts';
import { errorJson, exitCodeOf, sentenceOf } from '../client/service-client.ts';
import { type PlannedTranscript, planTranscripts } from '../client/transcript-files.ts';
import { formatAnswer } from '../client/transcript-format.ts';
import { TranscriptSources } from '../client/transcript-sources.ts';
import { TranscriptionProgress } from '../client/transcription-progress.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { print, sanitise, sanitiseLines } from '../output.ts';

interface TranscribeOptions extends RecordingOptions {
  readonly concurrency: number;
  readonly output?: string;
  readonly force?: boolean;
}

type Outcome = { readonly answer: SuccessResponse } | { readonly failure: unknown } | 'up to date';

interface Run {
  readonly transcriber: RecordingTranscriber;
  readonly sources: TranscriptSources;
  readonly options: TranscribeOptions;
  readonly request: RecordingRequest;
  readonly progress: TranscriptionProgress;
  readonly signal: AbortSignal;
}

const transcribe = async (paths: readonly string[], options: TranscribeOptions): Promise<void> => {
  const transcriber = await RecordingTranscriber.open(options);
  if (!transcriber) return;
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new Error('interrupted'));
  try {
    const request = await requestOf(options);
    const planned = await planTranscripts(paths, options.output, options.format);
    if (planned.length === 0) {
      console.error('There are no recordings in these folders.');
      process.exitCode = EXIT.dataError;
      return;
    }
    process.once('SIGINT', onInterrupt);
    const progress = new TranscriptionProgress(planned.length);
    const sources = new TranscriptSources();
    await runAll(planned, { transcriber, sources, options, request, progress, signal: stop.signal });
  } finally {
    stop.abort(new Error('stopped'));
    process.off('SIGINT', onInterrupt);
    await transcriber.close();
  }
};

const runAll = async (planned: readonly PlannedTranscript[], run: Run): Promise<void> => {
  const { options, progress } = run;
  const outcomes = startAll(planned, run);
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
    progress.hide();
  }
  if (options.output !== undefined && (planned.length > 1 || counts.skipped > 0)) {
    const hint = counts.skipped > 0 ? '; --force writes them again' : '';
    console.error(`${counts.written} written, ${counts.skipped} skipped (up to date${hint}), ${counts.failed} failed.`);
  }
  process.exitCode = exitCode;
};

/** Starts the recordings, a few at a time. No promise rejects. */
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
  await sources.expect(transcript);
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
  const { transcriber, request, progress, signal } = run;
  const { blobOf } = await import('../client/recording-upload.ts');
  const audio = await blobOf(recording);
  const fileName = recording === '-' ? 'audio' : basename(recording);
  const onProgress = (sent: UploadProgress) => progress.uploading(recording, sent);
  const onJob = (job: JobObject) => progress.job(recording, job);
  const identity = await identityOf(recording);
  return transcriber.transcribe({ audio, fileName, identity }, request, { signal, onProgress, onJob });
};

const identityOf = async (recording: string): Promise<string | null> => {
  if (recording === '-') return null;
  const { size, mtimeMs } = await stat(recording);
  return JSON.stringify([resolve(recording), size, mtimeMs]);
};

/** Resolves to false when the reader of the output has closed it. */
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

export const configureTranscribe: ConfigureCommand = (command) => {
  addRecordingOptions(command.argument('<path...>', 'recordings or folders; - for standard input'))
    .option('-o, --output <path>', 'write to this file or folder; transcripts of unchanged recordings are kept')
    .option('--force', 'write transcripts again, even over those of other recordings')
    .option('--concurrency <n>', 'recordings at the same time', wholeNumber(1, 64), 2)
    .action(transcribe);
};
