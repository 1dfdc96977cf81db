// The tools of `faircopy mcp`: transcribe a recording, list jobs, fetch the transcript of a job.
import { JOB_STATES, type JobObject, REDACTION_NAMES, type RedactionName, requestId } from '@faircopy/contract';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { JobFailed } from '../client/job-failed.ts';
import type { RecordingRequest } from '../client/recording-options.ts';
import type { RecordingTranscriber } from '../client/recording-transcriber.ts';
import { sentenceOf } from '../client/service-client.ts';
import { canFormat, formatAnswer, includesFor, TRANSCRIPT_FORMATS } from '../client/transcript-format.ts';
import { withProgress } from './progress.ts';
import { type ReadableSources, readSource, ToolFault } from './readable-sources.ts';

export interface ToolParts {
  readonly transcriber: RecordingTranscriber;
  readonly request: RecordingRequest;
  readonly readable: ReadableSources;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
}

/** Transcriptions at the same time; further ones are refused. */
const AT_ONCE = 4;
const JOBS_LISTED_MAX = 100;

const format = z.enum(TRANSCRIPT_FORMATS).default('txt').describe('txt, subtitles (srt, vtt), or json with everything');

const transcribeInput = z.object({
  source: z.string().min(1).describe('Path of a recording, or its http(s) address'),
  language: z.string().optional().describe('ISO 639-1 code; detected if not given'),
  format,
  speakers: z.boolean().default(false).describe('Label who said what'),
  vocabulary: z.array(z.string()).default([]).describe('Names and terms to expect'),
  redact: z.array(z.enum(REDACTION_NAMES)).default([]).describe('Personal data to redact'),
  background: z.boolean().default(false).describe('Return the id of a job at once, for get_transcript'),
});

const listInput = z.object({
  limit: z.number().int().min(1).max(JOBS_LISTED_MAX).default(20),
  state: z.enum(JOB_STATES).optional(),
  before: requestId.optional().describe('next_before of the previous page'),
});

const fetchInput = z.object({ job_id: requestId, format });

const text = (content: string): CallToolResult => ({ content: [{ type: 'text', text: content }] });

/** Turns failures into results that the caller can read, instead of protocol errors. */
const orError = async (work: () => Promise<CallToolResult>): Promise<CallToolResult> => {
  try {
    return await work();
  } catch (thrown) {
    return { ...text(thrown instanceof ToolFault ? thrown.message : sentenceOf(thrown)), isError: true };
  }
};

const jobText = ({ id, state }: JobObject): string =>
  `The recording is job ${id}, which is ${state}. get_transcript returns its transcript when it has succeeded.`;

export const registerTools = (server: McpServer, { transcriber, request, readable, signal: stop }: ToolParts): void => {
  let running = 0;

  const transcribe = async (input: z.infer<typeof transcribeInput>, signal: AbortSignal): Promise<CallToolResult> => {
    const recording = await readSource(input.source, readable, signal);
    const asked: RecordingRequest = {
      ...request,
      language: input.language ?? request.language,
      include: includesFor(input.format),
      vocabulary: [...request.vocabulary, ...input.vocabulary],
      ...(input.speakers && !request.speakers && { speakers: true as const }),
      redact: joined(request.redact, input.redact),
    };
    if (input.background || (await transcriber.isTooLong(recording.audio))) {
      // Every job includes word times, so that subtitles can be made from it.
      const job = await transcriber.createJob(recording, { ...asked, include: includesFor('srt') }, signal);
      return { ...text(jobText(job)), structuredContent: { job_id: job.id, state: job.state } };
    }
    const answer = await transcriber.transcribe(recording, asked, { signal });
    return text(formatAnswer(answer, input.format));
  };

  server.registerTool(
    'transcribe',
    {
      description: `Transcribes a recording of speech. A long one becomes a job. Reads ${readable.roots.join(', ')} and web addresses.`,
      inputSchema: transcribeInput,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    (input, context) =>
      orError(async () => {
        if (running >= AT_ONCE) throw new ToolFault(`${AT_ONCE} recordings are being transcribed. Try again later.`);
        running += 1;
        try {
          const signal = AbortSignal.any([stop, context.mcpReq.signal]);
          return await withProgress(context, () => transcribe(input, signal));
        } finally {
          running -= 1;
        }
      }),
  );

  server.registerTool(
    'list_jobs',
    {
      description: 'Lists recordings that were sent as jobs, newest first.',
      inputSchema: listInput,
      annotations: { readOnlyHint: true },
    },
    ({ limit, state, before }, context) =>
      orError(async () => {
        const page = { limit, ...(state && { state }), ...(before && { before }) };
        const { jobs, next_before } = await transcriber.jobs.list(page, AbortSignal.any([stop, context.mcpReq.signal]));
        return { ...text(JSON.stringify({ jobs, next_before })), structuredContent: { jobs, next_before } };
      }),
  );

  server.registerTool(
    'get_transcript',
    {
      description: 'Returns the transcript of a job, or its state.',
      inputSchema: fetchInput,
      annotations: { readOnlyHint: true },
    },
    ({ job_id, format: asked }, context) =>
      orError(async () => {
        const { job, answer } = await transcriber.jobs.get(job_id, AbortSignal.any([stop, context.mcpReq.signal]));
        if (answer && !canFormat(answer, asked))
          throw new ToolFault(
            `Job ${job.id} has no word times: it was created without "include=words". Ask for txt or json.`,
          );
        if (answer) return text(formatAnswer(answer, asked));
        if (job.ended_at !== null) throw new JobFailed(job);
        return { ...text(jobText(job)), structuredContent: { job_id: job.id, state: job.state } };
      }),
  );
};

const joined = (always: readonly RedactionName[] = [], asked: readonly RedactionName[]) => {
  const names = [...new Set([...always, ...asked])];
  return names.length === 0 ? undefined : names;
};
