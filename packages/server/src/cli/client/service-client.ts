// Shared by commands that call a running server: options for its address and API key, error messages and exit codes.
import type { Faircopy, FaircopyError } from '@faircopy/client';
import {
  ERRORS,
  isModelId,
  LANGUAGES,
  MODEL_IDS,
  type ModelId,
  parseRedaction,
  REDACTION_NAMES,
  type RedactionName,
} from '@faircopy/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { recognisedLanguage } from '../../lib/language-names.ts';
import { commaList } from '../arguments.ts';
import { EXIT } from '../command.ts';
import { sanitise } from '../output.ts';

export interface ConnectionOptions {
  readonly url: string;
  readonly key?: string;
}

export interface ServiceOptions extends ConnectionOptions {
  readonly model: ModelId;
  readonly language?: string;
  readonly languages?: readonly string[];
  readonly redact?: readonly RedactionName[];
  readonly json?: boolean;
}

const asModel = (text: string): ModelId => {
  if (isModelId(text)) return text;
  throw new InvalidArgumentError(`It must be one of ${MODEL_IDS.join(', ')}.`);
};

const asRedaction = (text: string): readonly RedactionName[] => {
  const names = parseRedaction(text);
  if (names !== null) return names;
  throw new InvalidArgumentError(`It may name ${REDACTION_NAMES.join(', ')}.`);
};

const asLanguages = (text: string): readonly string[] => {
  const unknown = commaList(text).find((name) => recognisedLanguage(name) === null);
  if (unknown === undefined) return commaList(text);
  throw new InvalidArgumentError(`"${unknown}" is not one of ${LANGUAGES.join(', ')}.`);
};

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const asUrl = (text: string): string => {
  if (isAddress(text)) return text;
  throw new InvalidArgumentError('It must be an address such as http://localhost:8080.');
};

/** Where `faircopy serve` listens with the same environment. */
const urlDefault = ({ FAIRCOPY_URL, PORT } = process.env): string => {
  if (FAIRCOPY_URL) return FAIRCOPY_URL;
  return `http://127.0.0.1:${/^[1-9]\d{0,4}$/.test(PORT ?? '') ? PORT : 8080}`;
};

export const addConnectionOptions = (command: Command): Command =>
  command
    .option(
      '--url <address>',
      'address of the server; by default FAIRCOPY_URL, or PORT on this machine',
      asUrl,
      urlDefault(),
    )
    .option('--key <key>', 'API key; FAIRCOPY_API_KEY is safer, because process lists do not show it');

/** Adds the options that decide how recordings are transcribed. */
export const addCallOptions = (command: Command): Command =>
  addConnectionOptions(
    command
      .option('--model <model>', `one of ${MODEL_IDS.join(', ')}`, asModel, 'svc-1.0-max' as const)
      .option('--language <code>', 'ISO 639-1 hint; detected if not given')
      .option('--languages <list>', 'languages that may be spoken, such as de,en', asLanguages)
      .option('--redact <list>', 'what to redact in the text, such as pci,phone or pii', asRedaction),
  );

export const addServiceOptions = (command: Command): Command =>
  addCallOptions(command).option('--json', 'print complete answers, one line of JSON each');

/** The API key; empty when there is none. */
export const apiKeyOf = ({ key }: { readonly key?: string | undefined }): string =>
  key ?? process.env.FAIRCOPY_API_KEY ?? '';

/** Prints the reason and resolves to null if there is no key, or FAIRCOPY_URL is not an address. */
export const openClient = async ({ url, key }: ConnectionOptions): Promise<Faircopy | null> => {
  const apiKey = apiKeyOf({ key });
  if (!apiKey) {
    console.error(
      'There is no API key. Set FAIRCOPY_API_KEY, or create one: faircopy keys create --account NAME --name LABEL',
    );
    process.exitCode = EXIT.usage;
    return null;
  }
  // --url was checked when it was parsed.
  if (!isAddress(url)) {
    console.error(`FAIRCOPY_URL: "${sanitise(url)}" must be an address such as http://localhost:8080`);
    process.exitCode = EXIT.config;
    return null;
  }
  const { Faircopy } = await import('@faircopy/client');
  return new Faircopy({ baseUrl: url, apiKey });
};

const isFaircopyError = (thrown: unknown): thrown is FaircopyError =>
  thrown instanceof Error && thrown.name === 'FaircopyError';

const HINT = ' Is the server running? Set its address with FAIRCOPY_URL or --url.';

/** Messages for error codes of the system about a file. */
const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'It cannot be read or written: permission denied.',
  EPERM: 'It cannot be read or written: permission denied.',
  EISDIR: 'It is a folder, not a file.',
  EEXIST: 'There is a file where a folder is needed.',
  ENOTDIR: 'A part of the path is a file, not a folder.',
  ENOSPC: 'The disk is full.',
  EROFS: 'The disk is read-only.',
  EMFILE: 'Too many files are open.',
};

/** Describes a failure in one line. */
export const sentenceOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return sanitise(String(thrown));
  const fileFault = FILE_FAULTS[(thrown as NodeJS.ErrnoException).code ?? ''];
  if (fileFault !== undefined) return fileFault;
  const id = isFaircopyError(thrown) && thrown.requestId !== null ? ` (request ${thrown.requestId})` : '';
  const hint = isFaircopyError(thrown) && thrown.code === 'CONNECTION_FAILED' ? HINT : '';
  return sanitise(`${thrown.message}${hint}${id}`);
};

/** The error object of the contract, for --json. */
export const errorJson = (thrown: unknown): object => ({
  status: 'error',
  error: isFaircopyError(thrown)
    ? { code: thrown.code, message: thrown.message }
    : { code: 'FAILED', message: thrown instanceof Error ? thrown.message : String(thrown) },
  request_id: isFaircopyError(thrown) ? thrown.requestId : null,
});

/** Statuses of requests that are at fault themselves, so that sending them again is useless. */
const REFUSED_DATA: readonly number[] = [400, 404, 409, 413, 422];

export const exitCodeOf = (thrown: unknown): number => {
  if (!isFaircopyError(thrown)) return (thrown as NodeJS.ErrnoException)?.code ? EXIT.dataError : EXIT.failed;
  if (thrown.code === 'UNAUTHORIZED') return EXIT.usage;
  const status = thrown.code in ERRORS ? ERRORS[thrown.code as keyof typeof ERRORS].httpStatus : null;
  return status !== null && REFUSED_DATA.includes(status) ? EXIT.dataError : EXIT.unavailable;
};
