// Schemas for the values of settings. Each parses a variable and describes what is wrong with it.
import { z } from 'zod';

const DAY_MS = 24 * 60 * 60 * 1000;

export const wholeNumber = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
    .default(fallback);

/** A timeout of 0 expires immediately. */
export const milliseconds = (fallback: number) => wholeNumber(fallback, 0, DAY_MS);

export const text = (fallback: string) => z.string().min(1, 'must not be empty').default(fallback);

export const optionalText = () => z.string().min(1).optional();

export const optionalUrl = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` }).optional();

export const trueOrFalse = (fallback: boolean) =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');

export const oneOf = <const T extends string>(values: readonly T[]) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** Parts of a list separated by commas, without spaces around them. */
export const listed = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export const isListenAddress = (value: unknown): value is ListenAddress =>
  typeof value === 'object' && value !== null && 'host' in value && 'port' in value;

const THIS_MACHINE = '127.0.0.1';
const PORT_MAX = 65_535;

/** `PORT`, which listens on this machine only, or `HOST:PORT`, with an IPv6 host in brackets. */
export const listenAddress = () =>
  z
    .string()
    .transform((value, context): ListenAddress => {
      const [, host, port] = /^(?:(\[[\da-f:.]+\]|[^:\s]+):)?(\d{1,5})$/i.exec(value) ?? [];
      if (port !== undefined && Number(port) <= PORT_MAX)
        return { host: host?.replace(/^\[|\]$/g, '') ?? THIS_MACHINE, port: Number(port) };
      context.addIssue({
        code: 'custom',
        message: `must be a port up to ${PORT_MAX}, or a host and port such as 0.0.0.0:9464`,
      });
      return z.NEVER;
    })
    .optional();
