// Log lines: JSON through pino. Redaction here is the last guard against keys, tokens, transcripts and audio.
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { Fault } from '../lib/fault.ts';
import type { ObservabilitySettings } from './settings.ts';

export type Log = Logger;

/** Fields that could hold a secret or a transcript by mistake, one and two levels deep. */
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

/** A fault is logged as its code and cause; its message is in the answer. */
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
    // Standard error, so that standard output is the command's own.
    destination ?? pino.destination({ dest: 2, sync: false }),
  );

export const silentLog = (): Log => pino({ level: 'silent' });
