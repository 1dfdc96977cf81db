// Writes JSON logs with pino. Its redaction is the last guard against logging keys, tokens and transcripts.
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { Fault } from '../lib/fault.ts';
import type { ObservabilitySettings } from './settings.ts';

export type Log = Logger;

/** Fields that could hold a secret or a transcript by mistake; redacted at the top and two levels below. */
const PRIVATE_NAMES = [
  'authorization',
  'token',
  'key',
  'apiKey',
  'cookie',
  'password',
  'transcript',
  'text',
  'rawText',
];

/** A fault is logged without its stack: the stack of its cause shows where it failed. */
const error = (thrown: unknown): unknown =>
  thrown instanceof Fault
    ? {
        code: thrown.code,
        message: thrown.message,
        ...(thrown.cause === undefined ? {} : { cause: error(thrown.cause) }),
      }
    : thrown instanceof Error
      ? stdSerializers.err(thrown)
      : thrown;

export const createLog = (config: Pick<ObservabilitySettings, 'logLevel'>, destination?: DestinationStream): Log =>
  pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: PRIVATE_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
      // Never log whole requests: a stream's URL holds its token.
      serializers: { err: error, error, req: () => undefined, res: () => undefined },
    },
    // Logs go to standard error, because standard output belongs to the command.
    destination ?? pino.destination({ dest: 2, sync: false }),
  );

export const silentLog = (): Log => pino({ level: 'silent' });
