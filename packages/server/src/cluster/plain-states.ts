// A fast check for the usual heartbeats, which are most messages. Anything unusual goes through the much slower schema.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';

type Fields = Readonly<Record<string, unknown>>;

const ID = /^[A-Za-z0-9_-]{22}$/;
const isId = (value: unknown): value is string => typeof value === 'string' && value.length === 22 && ID.test(value);
const isIds = (value: unknown): value is string[] => Array.isArray(value) && value.length <= 1_024 && value.every(isId);
const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most;
const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
const isCount = (value: unknown): value is number => isWhole(value, 0, 1e9);
const isMs = (value: unknown): value is number => isWhole(value, 1, 60_000);
const isSpeed = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= 1e6;

const isTiers = (value: unknown): value is ModelId[] => {
  if (!Array.isArray(value) || value.length !== MODEL_IDS.length) return false;
  for (const [nth, tier] of MODEL_IDS.entries()) if (value[nth] !== tier) return false;
  return true;
};

/** Whether it has values for known tiers only. */
const isByTier = (value: unknown, isOne: (one: unknown) => boolean): value is Partial<Record<ModelId, number>> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const tier in value)
    if (!(MODEL_IDS as readonly string[]).includes(tier) || !isOne((value as Fields)[tier])) return false;
  return true;
};

const isParty = ({ version, id, name }: Fields): boolean =>
  isText(version, 50) && isId(id) && isText(name, 200) && name !== '';

/** Whether there are exactly `count` fields. With `count` fields checked, none is unknown. */
const hasFields = (fields: Fields, count: number): boolean => {
  let left = count;
  for (const _ in fields) left -= 1;
  return left === 0;
};

/** Accepts the state that every worker of this version with all tiers sends. */
export const isPlainWorkerState = (fields: Fields): boolean => {
  const { kind, tiers, slots, busy, done, speeds, isDraining, connections, credits, recalled, leases, nextMs } = fields;
  return (
    kind === 'worker' &&
    hasFields(fields, 15) &&
    isParty(fields) &&
    isTiers(tiers) &&
    isWhole(slots, 1, 1_024) &&
    isCount(busy) &&
    isCount(done) &&
    isByTier(speeds, isSpeed) &&
    typeof isDraining === 'boolean' &&
    isCount(connections) &&
    isIds(credits) &&
    isIds(recalled) &&
    isIds(leases) &&
    isMs(nextMs)
  );
};

/** Accepts the state that every gateway of this version sends. */
export const isPlainGatewayState = (fields: Fields): boolean => {
  const { kind, want, background, running, slots, workers, isLeaving, nextMs, lateMs } = fields;
  return (
    kind === 'gateway' &&
    hasFields(fields, background === undefined ? 11 : 12) &&
    isParty(fields) &&
    isByTier(want, isCount) &&
    (background === undefined || isByTier(background, isCount)) &&
    isCount(running) &&
    isCount(slots) &&
    isCount(workers) &&
    typeof isLeaving === 'boolean' &&
    isMs(nextMs) &&
    isMs(lateMs)
  );
};
