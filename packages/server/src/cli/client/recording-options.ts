// Options of commands that transcribe recordings, and the request that they result in.
import { readFile } from 'node:fs/promises';
import { requestTag, SPEAKERS_MAX, TAGS_MAX } from '@faircopy/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { Fault } from '../../lib/fault.ts';
import { wholeNumber } from '../arguments.ts';
import type { JobOptions } from './job-client.ts';
import { addServiceOptions, type ServiceOptions } from './service-client.ts';
import { includesFor, TRANSCRIPT_FORMATS, type TranscriptFormat } from './transcript-format.ts';

export interface RecordingOptions extends ServiceOptions {
  readonly format: TranscriptFormat;
  readonly term?: readonly string[];
  readonly vocabulary?: string;
  /** The number of speakers; `any` if it is unknown. */
  readonly speakers?: 'any' | number;
  readonly knownVoices?: boolean;
  readonly tag?: readonly string[];
}

/** The request to the server for each recording. */
export type RecordingRequest = Omit<JobOptions, 'fileName' | 'webhook'>;

export const requestOf = async (options: RecordingOptions): Promise<RecordingRequest> => ({
  model: options.model,
  language: options.language,
  languages: options.languages,
  include: includesFor(options.format),
  vocabulary: [...(options.term ?? []), ...(await termsIn(options.vocabulary))],
  ...speakersAsked(options),
  redact: options.redact,
  tags: options.tag,
});

/** Reads terms from a file. Empty lines and lines that begin with # are left out. */
const termsIn = async (file: string | undefined): Promise<string[]> => {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Fault('INVALID_REQUEST', { message: `The terms cannot be read: ${cause.message}`, cause });
  });
  const lines = text.split(/\r?\n/u).map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
};

const speakersAsked = ({ speakers, knownVoices }: RecordingOptions) =>
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

const addTag = (text: string, tags: readonly string[] = []): readonly string[] => {
  const parsed = requestTag.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError(`${parsed.error.issues[0]?.message ?? 'It is not a tag'}.`);
  if (tags.length === TAGS_MAX) throw new InvalidArgumentError(`At most ${TAGS_MAX} tags.`);
  return [...tags, parsed.data];
};

/** Adds the options of a request other than model and language. */
export const addRequestOptions = (command: Command): Command => {
  const parseOptions = command.parseOptions.bind(command);
  command.parseOptions = (args) => parseOptions(withBareSpeakers(args));
  return command
    .option('--speakers [n]', 'label who said what; =N if there are N speakers', speakersOf)
    .option('--known-voices', 'label who said what, with the names of enrolled people')
    .option('--term <term...>', 'expected terms: names, products, jargon')
    .option('--vocabulary <file>', 'a file with expected terms, one per line')
    .option('--tag <tag>', 'a tag for the usage rows; may be repeated', addTag);
};

export const addRecordingOptions = (command: Command): Command =>
  addRequestOptions(
    addServiceOptions(command).addOption(
      new Option('--format <format>', 'output format').choices(TRANSCRIPT_FORMATS).default('txt'),
    ),
  );
