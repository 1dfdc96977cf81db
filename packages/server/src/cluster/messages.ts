// Messages between gateways and workers; invalid ones are refused when they are parsed.
import { randomBytes } from 'node:crypto';
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import { z } from 'zod';
import type { Recognition } from '../speech/recogniser.ts';
import { isPlainGatewayState, isPlainWorkerState } from './plain-states.ts';

/** Ids are 128 random bits, so that they cannot be guessed. */
export const newId = (): string => randomBytes(16).toString('base64url');
const id = z.string().regex(/^[A-Za-z0-9_-]{22}$/);

/** Gateways that a party tracks: more than any cluster has. On an open bus, anybody can announce gateways. */
export const GATEWAYS_MAX = 64;

const count = z.number().int().min(0).max(1e9);
const ids = z.array(id).max(1_024);
/** An adjacent version may have tiers that this version does not know. */
const tiers = z
  .array(z.string().max(100))
  .max(50)
  .transform((names) => MODEL_IDS.filter((tier) => names.includes(tier)))
  .refine((known) => known.length > 0, 'names no known tier');
/** Optional values by tier. A Zod object parses faster than a record, and drops unknown tiers. */
const byTier = <T extends z.ZodType>(value: T) => {
  const some = value.exactOptional();
  return z.object({ 'svc-1.0-lite': some, 'svc-1.0-pro': some, 'svc-1.0-max': some } satisfies Record<
    ModelId,
    unknown
  >);
};
const party = { version: z.string().max(50), id, name: z.string().min(1).max(200) };

/** Longest time until the sender's next heartbeat. Absent in older versions, which send and expect one every 500 ms. */
const nextMs = z.number().int().min(1).max(60_000).exactOptional();

/** A gateway's heartbeat, with its waiting windows by tier. */
export const gatewayState = z.object({
  kind: z.literal('gateway'),
  ...party,
  want: byTier(count),
  /** Waiting background windows, which get slots that nobody else needs; absent when none wait, and in older versions. */
  background: byTier(count).exactOptional(),
  running: count,
  slots: count,
  /** Number of workers that it knows; absent in older versions. */
  workers: count.exactOptional(),
  isLeaving: z.boolean(),
  nextMs,
  /** How late a worker's heartbeat may be; absent in older versions, which expect one every 500 ms. */
  lateMs: z.number().int().min(1).max(60_000).exactOptional(),
});
export type GatewayState = z.infer<typeof gatewayState>;

export const waitingWindows = ({ want }: GatewayState): number =>
  Object.values(want).reduce((sum, count) => sum + count, 0);

/** A worker's heartbeat to one gateway: the credits it lends to it, and the windows it holds for it. */
export const workerState = z.object({
  kind: z.literal('worker'),
  ...party,
  tiers,
  slots: z.number().int().min(1).max(1_024),
  busy: count,
  done: count,
  /** Seconds of audio recognised per second by a slot, by tier; absent in older versions and before any window. */
  speeds: byTier(z.number().positive().max(1e6)).exactOptional(),
  isDraining: z.boolean(),
  /** Number of its NATS connections so far: messages sent before the last one may be lost. */
  connections: count,
  credits: ids,
  /** Lent credits that the gateway should return, because other gateways wait. */
  recalled: ids,
  leases: ids,
  nextMs,
});
export type WorkerState = z.infer<typeof workerState>;

/** The gateway no longer needs these credits or windows. */
const release = z.object({ kind: z.literal('release'), version: z.string().max(50), gateway: id, ids });
export type Release = z.infer<typeof release>;

const probability = z.number().min(0).max(1);
const languageProbability = z.object({ language: z.string().max(20), probability });
const writtenTerm = { text: z.string().max(1_000), instead: z.string().max(1_000) };
const recognition: z.ZodType<Recognition> = z.object({
  text: z.string().max(20_000),
  words: z
    .array(
      z.object({
        text: z.string().max(1_000),
        startMs: z.number(),
        endMs: z.number(),
        confidence: probability,
        markProbability: probability.exactOptional(),
        term: z.object(writtenTerm).exactOptional(),
      }),
    )
    .max(5_000),
  languages: z.array(languageProbability).max(200),
  languageChange: z.number().nullable(),
  averageLogProbability: z.number().max(0.001),
  sentenceEnd: probability.exactOptional(),
  terms: z
    .array(z.object({ ...writtenTerm, start: count, end: count }))
    .max(1_000)
    .exactOptional(),
});

/** refused: not started. unavailable: its recogniser died. failed: a bug. */
const failure = z.object({ reason: z.enum(['refused', 'unavailable', 'failed']), message: z.string().max(4_000) });
const answer = z.object({
  kind: z.literal('answer'),
  worker: id,
  id,
  result: z.union([z.object({ recognition }), z.object({ failure })]),
});
export type Answer = z.infer<typeof answer>;

const toGateway = z.discriminatedUnion('kind', [workerState, answer]);
export type ToGateway = z.infer<typeof toGateway>;

const windowHeader = z.object({
  kind: z.literal('window'),
  version: z.string().max(50),
  gateway: id,
  credit: id,
  /** Named in the answer; new for every attempt. */
  id,
  want: gatewayState.shape.want,
  background: gatewayState.shape.background,
  window: z.object({
    requestId: z.string().max(100),
    tier: z.enum(MODEL_IDS),
    task: z.enum(['transcribe', 'translate']).exactOptional(),
    pausePositions: z.array(count).max(1_000),
    precedingText: z.object({ text: z.string().max(20_000), language: z.string().max(20) }).nullable(),
    language: z.string().max(20).nullable(),
    languageHint: z.string().max(20).nullable(),
    /** Ignored by workers of the previous version. */
    languages: z.array(z.string().max(20)).min(1).max(200).exactOptional(),
    recentLanguages: z.array(languageProbability).max(50).exactOptional(),
    vocabulary: z.array(z.string().max(1_000)).max(2_000),
    /** Pronunciations and weights of the terms that have them. */
    termDetails: z
      .array(
        z.object({
          at: count,
          soundsLike: z.array(z.string().max(1_000)).max(20).exactOptional(),
          weight: z.number().min(0).max(100).exactOptional(),
        }),
      )
      .max(2_000)
      .exactOptional(),
    wantWordTimes: z.boolean(),
    committedText: z.string().max(20_000).exactOptional(),
    draft: z.string().max(20_000).exactOptional(),
    isInterim: z.boolean().exactOptional(),
    endsAtShortPause: z.boolean().exactOptional(),
    isCaptioned: z.boolean().exactOptional(),
  }),
});
export type WindowHeader = z.infer<typeof windowHeader>;
/** In a large cluster, a gateway sends its state to single workers when its windows begin to wait. */
const toWorker = z.discriminatedUnion('kind', [windowHeader, release, gatewayState]);
type ToWorker = z.infer<typeof toWorker>;

/** Limit for all messages except windows and answers, and for the header of a window. */
export const STATE_BYTES_MAX = 128 * 1024;
export const ANSWER_BYTES_MAX = 1024 * 1024;

export type Want = Readonly<Partial<Record<ModelId, number>>>;

/** What a gateway waits for. */
export interface Waits {
  readonly want: Want;
  readonly background?: Want;
}

export const incompatibleVersion = (what: string, { name, version }: { name: string; version: string }, ours: string) =>
  new RefusedMessage(
    'version',
    `the ${what} ${name} has version ${version}, this process has ${ours}; only adjacent minor versions are compatible`,
    name,
  );

/** Why a message was refused; used as metric labels. */
export const REFUSED_REASONS = ['size', 'invalid', 'version', 'unknown_lease', 'too_many'] as const;
export type RefusedReason = (typeof REFUSED_REASONS)[number];

export class RefusedMessage extends Error {
  readonly reason: RefusedReason;
  /** The sender's name, if known. */
  readonly sender: string | undefined;
  constructor(reason: RefusedReason, message: string, sender?: string) {
    super(message);
    this.reason = reason;
    this.sender = sender;
  }
}

type IsPlain = (fields: Readonly<Record<string, unknown>>) => boolean;

/** Values that `isPlain` accepts skip the schema. */
const read = <T>(schema: z.ZodType<T>, bytes: Uint8Array, bytesMax: number, isPlain?: IsPlain): T => {
  if (bytes.length > bytesMax) throw new RefusedMessage('size', `it has ${bytes.length} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    throw new RefusedMessage('invalid', 'it is not JSON');
  }
  if (isPlain && typeof value === 'object' && value !== null && isPlain(value as Record<string, unknown>))
    return value as T;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // Name only the paths of invalid fields: values may be transcript text.
  const places = parsed.error.issues.map(({ path }) => path.join('.') || 'it');
  throw new RefusedMessage('invalid', `invalid fields: ${[...new Set(places)].slice(0, 5).join(', ')}`);
};

export const write = (message: GatewayState | WorkerState | Release | Answer): Uint8Array =>
  Buffer.from(JSON.stringify(message));

export const readGatewayState = (bytes: Uint8Array): GatewayState =>
  read(gatewayState, bytes, STATE_BYTES_MAX, isPlainGatewayState);
export const readToGateway = (bytes: Uint8Array): ToGateway =>
  read(toGateway, bytes, ANSWER_BYTES_MAX, isPlainWorkerState);
export const readToWorker = (bytes: Uint8Array): ToWorker => read(toWorker, bytes, STATE_BYTES_MAX);
