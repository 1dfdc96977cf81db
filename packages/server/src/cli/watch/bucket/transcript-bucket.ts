// The bucket that a watcher writes transcripts to. Small objects beside them record which recording each came from.
import { createHash } from 'node:crypto';
import { parseRecord, type TranscriptRecord } from '../../client/transcript-log.ts';
import type { TranscriptOutput, WatchLock } from '../ports.ts';
import type { BucketPrefix } from './bucket.ts';
import { lockBucket } from './bucket-lock.ts';

const STATE_PREFIX = '.faircopy-transcripts/';
/** Records of earlier runs, one per line. Newer records are separate objects. */
const JOINED = `${STATE_PREFIX}joined.jsonl`;
const JSON_LINES = 'application/jsonl';
/** Single records are joined at start if there are at least this many. */
const JOIN_MIN = 100;
const AT_ONCE = 16;

const TYPES: Readonly<Record<string, string>> = {
  txt: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json',
};

const nameOf = ({ output }: TranscriptRecord): string =>
  `${STATE_PREFIX}${createHash('sha256').update(output).digest('hex')}.json`;

export class TranscriptBucket implements TranscriptOutput {
  readonly #bucket: BucketPrefix;

  constructor(bucket: BucketPrefix) {
    this.#bucket = bucket;
  }

  lock(signal: AbortSignal): Promise<WatchLock> {
    return lockBucket(this.#bucket, signal);
  }

  async records(): Promise<readonly TranscriptRecord[]> {
    const byOutput = new Map<string, TranscriptRecord>();
    for (const record of await this.#read(JOINED)) byOutput.set(record.output, record);
    const names: string[] = [];
    for await (const { name } of this.#bucket.list(STATE_PREFIX)) if (name !== JOINED) names.push(name);
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const read = await Promise.all(names.slice(at, at + AT_ONCE).map((name) => this.#read(name)));
      for (const record of read.flat()) byOutput.set(record.output, record);
    }
    const records = [...byOutput.values()].filter(({ state }) => state !== 'released');
    if (names.length >= JOIN_MIN) await this.#join(records, names);
    return records;
  }

  /** Single records are deleted only after the joined object has them. */
  async #join(records: readonly TranscriptRecord[], names: readonly string[]): Promise<void> {
    await this.#bucket.put(JOINED, records.map((record) => `${JSON.stringify(record)}\n`).join(''), JSON_LINES);
    for (let at = 0; at < names.length; at += AT_ONCE)
      await Promise.all(names.slice(at, at + AT_ONCE).map((name) => this.#bucket.delete(name)));
  }

  async #read(name: string): Promise<TranscriptRecord[]> {
    const object = await this.#bucket.get(name);
    const text = (await object?.body.transformToString('utf-8')) ?? '';
    return text
      .split('\n')
      .map(parseRecord)
      .filter((record) => record !== null);
  }

  async record(record: TranscriptRecord): Promise<void> {
    await this.#bucket.put(nameOf(record), `${JSON.stringify(record)}\n`, JSON_LINES);
  }

  async exists(output: string): Promise<boolean> {
    return (await this.#bucket.etagOf(output)) !== null;
  }

  async write(output: string, text: string): Promise<void> {
    await this.#bucket.put(output, text, TYPES[output.slice(output.lastIndexOf('.') + 1)] ?? 'text/plain');
  }

  addressOf(output: string): string {
    return this.#bucket.addressOf(output);
  }

  async close(): Promise<void> {
    this.#bucket.close();
  }
}
