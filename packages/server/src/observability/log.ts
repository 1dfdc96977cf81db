// Log lines: JSON through pino. Keys, tokens, transcripts and audio have no place in them; this is the last guard.
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { Fault } from '../lib/fault.ts';
import type { ObservabilitySettings } from './settings.ts';

export type Log = Logger;

/** Names under which a secret or something said could be logged by mistake, one and two levels deep. */
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

/** A fault is its code and what caused it; its sentence is in the answer already. */
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
      // Requests are never logged whole: a stream's address holds its token.
      serializers: { err: error, error, req: () => undefined, res: () => undefined },
    },
    // Standard error, so that what a command prints for its caller stays apart.
    destination ?? pino.destination({ dest: 2, sync: false }),
  );

export const silentLog = (): Log => pino({ level: 'silent' });
