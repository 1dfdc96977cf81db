// Computes the exact size of a cluster message on the network without serialising it. A test compares the sizes with
// those of all serialised messages of a simulated cluster.
import { MODEL_IDS } from '@faircopy/contract';
import type { Answer, GatewayState, Release, Want, WorkerState } from '../../src/cluster/messages.ts';
import type { SentWindow } from '../../src/cluster/window-message.ts';
import type { SpeechWindow } from '../../src/speech/recogniser.ts';

export type Message = GatewayState | WorkerState | Release | Answer | SentWindow;

/** Size of any value as JSON. */
const written = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Size of a JSON object without its values. */
const around = (...names: readonly string[]): number => {
  let size = 1;
  for (const name of names) size += name.length + '"":,'.length;
  return size;
};

/** Characters that take one byte and are not escaped in JSON. */
const PLAIN = /^[\w .-]*$/;
const ofText = (text: string): number => (PLAIN.test(text) ? text.length + 2 : written(text));

/** Ids need no escaping. */
const ofId = (id: string): number => id.length + 2;
const ofIds = (ids: readonly string[]): number => {
  let size = ids.length === 0 ? 2 : 1 + ids.length;
  for (const id of ids) size += ofId(id);
  return size;
};

const ofCount = (count: number): number => {
  let size = 1;
  for (let left = count; left >= 10; left /= 10) size += 1;
  return size;
};

const ofFlag = (flag: boolean): number => (flag ? 4 : 5);

const ofWant = (want: Want): number => {
  let size = 1;
  for (const tier of MODEL_IDS) {
    const count = want[tier];
    if (count !== undefined) size += tier.length + '"":,'.length + ofCount(count);
  }
  return Math.max(2, size);
};

/** Cache of sizes. Speeds have three digits, so there are few. */
const numbers = new Map<number, number>();
const ofNumber = (value: number): number => {
  let size = numbers.get(value);
  if (size === undefined) {
    size = String(value).length;
    numbers.set(value, size);
  }
  return size;
};

const ofSpeeds = (speeds: NonNullable<WorkerState['speeds']>): number => {
  let size = 1;
  for (const tier in speeds) size += tier.length + '"":,'.length + ofNumber(speeds[tier as keyof typeof speeds]!);
  return Math.max(2, size);
};

/** Cache of sizes of objects that many messages share. */
const shared = new WeakMap<object, number>();
const ofShared = (value: object): number => {
  let size = shared.get(value);
  if (size === undefined) {
    size = written(value);
    shared.set(value, size);
  }
  return size;
};

const WORKER =
  around('kind', 'version', 'id', 'name', 'tiers', 'slots', 'busy', 'done', 'speeds', 'isDraining', 'connections') +
  around('credits', 'recalled', 'leases', 'nextMs') -
  1;

const ofWorker = (state: WorkerState): number => {
  const { speeds, nextMs } = state;
  if (speeds === undefined || nextMs === undefined) return written(state);
  return (
    WORKER +
    ofId(state.kind) +
    ofText(state.version) +
    ofId(state.id) +
    ofText(state.name) +
    ofIds(state.tiers) +
    ofCount(state.slots) +
    ofCount(state.busy) +
    ofCount(state.done) +
    ofSpeeds(speeds) +
    ofFlag(state.isDraining) +
    ofCount(state.connections) +
    ofIds(state.credits) +
    ofIds(state.recalled) +
    ofIds(state.leases) +
    ofCount(nextMs)
  );
};

const GATEWAY = around(
  'kind',
  'version',
  'id',
  'name',
  'want',
  'running',
  'slots',
  'workers',
  'isLeaving',
  'lateMs',
  'nextMs',
);

const ofGateway = (state: GatewayState): number => {
  const { background, workers, lateMs, nextMs } = state;
  if (background !== undefined || workers === undefined || lateMs === undefined || nextMs === undefined)
    return written(state);
  return (
    GATEWAY +
    ofId(state.kind) +
    ofText(state.version) +
    ofId(state.id) +
    ofText(state.name) +
    ofWant(state.want) +
    ofCount(state.running) +
    ofCount(state.slots) +
    ofCount(workers) +
    ofFlag(state.isLeaving) +
    ofCount(lateMs) +
    ofCount(nextMs)
  );
};

const ANSWER = around('kind', 'worker', 'id', 'result') + around('recognition');

const ofAnswer = (answer: Answer): number => {
  if (!('recognition' in answer.result)) return written(answer);
  return ANSWER + ofId(answer.kind) + ofId(answer.worker) + ofId(answer.id) + ofShared(answer.result.recognition);
};

const HEADER = around('version', 'gateway', 'credit', 'id', 'want', 'kind', 'window') + ofId('window');

const ofDescription = (window: SpeechWindow): number => {
  let size = 1;
  for (const name in window) {
    const value = window[name as keyof SpeechWindow];
    if (name === 'samples' || value === undefined) continue;
    size += name.length + '"":,'.length;
    if (typeof value === 'string') size += ofText(value);
    else if (typeof value === 'boolean') size += ofFlag(value);
    else if (value === null) size += 4;
    else if (Array.isArray(value) && value.length === 0) size += 2;
    else size += written(value);
  }
  return size;
};

const ofWindow = ({ head, window }: SentWindow, bytesPerSample: number): number => {
  const header =
    HEADER +
    ofText(head.version) +
    ofId(head.gateway) +
    ofId(head.credit) +
    ofId(head.id) +
    ofWant(head.want) +
    (head.background === undefined ? 0 : '"background":,'.length + ofWant(head.background)) +
    ofDescription(window);
  // Four bytes for the length of the header, the header, and the audio at an even offset.
  return 4 + header + (header % 2) + window.samples.length * bytesPerSample;
};

/** `bytesPerSample`: size of an audio sample in windows. */
export const sizeOf = (message: Message, bytesPerSample: number): number => {
  if ('head' in message) return ofWindow(message, bytesPerSample);
  if (message.kind === 'worker') return ofWorker(message);
  if (message.kind === 'gateway') return ofGateway(message);
  return message.kind === 'answer' ? ofAnswer(message) : written(message);
};
