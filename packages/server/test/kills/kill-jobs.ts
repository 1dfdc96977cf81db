// Kills the real server at random moments during jobs and requests with idempotency keys, then checks that each ended once
// and was billed once.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { jobResponse, successResponse } from '@faircopy/contract';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { spoken } from '../../src/speech/testing/tones.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/open.ts';
import { assertSumsAgree, ledger } from '../../src/usage/testing/ledger.ts';
import { FORM_TYPE, field, file, form, MODEL, wavOf } from '../http/forms.ts';
import { JOBS_SECRET } from '../jobs/job-service.ts';
import { startReceiver } from '../jobs/receiver.ts';
import { AnswerCounter, ServerChild } from './server-child.ts';

export interface JobKillOptions {
  readonly database: StorageOptions;
  readonly kills: number;
  readonly seed: number;
  readonly onProgress?: (kills: number) => void;
}

export interface JobKillReport {
  readonly kills: number;
  readonly jobs: number;
  /** Jobs submitted more than once because the response was lost. */
  readonly resubmitted: number;
  /** Jobs started by more than one server. */
  readonly begunAgain: number;
  readonly keyedFiles: number;
  /** Files sent more than once. */
  readonly retried: number;
  readonly webhooks: number;
}

const WORDS = ['apple', 'bridge', 'candle', 'desk'];
const WAV = wavOf(spoken(WORDS));
const FILE_CLIENTS = 3;
const JOB_CLIENTS = 2;
/** Clients wait while this many jobs are unfinished. */
const OPEN_JOBS_MAX = 12;
/** In half of the runs only responses to files count, which take longest. */
const ANSWERS_BEFORE_KILL_MAX = { any: 8, file: 5 } as const;
const ANSWERS_MS_MAX = 8_000;
const END_MS_MAX = 180_000;

/** A request that is sent with one key until it is answered, across server kills. */
interface Keyed {
  readonly key: string;
  tries: number;
  ids: Set<string>;
}

class JobKills {
  readonly #options: JobKillOptions;
  readonly #storage: Storage;
  readonly #apiKey: string;
  readonly #webhookUrl: string;
  readonly #random: () => number;
  readonly files: Keyed[] = [];
  readonly jobs: Keyed[] = [];
  /** Not answered yet. */
  readonly #openFiles: Keyed[] = [];
  readonly #openSubmissions: Keyed[] = [];
  #server!: ServerChild;
  #state: 'loaded' | 'killed' | 'calm' = 'loaded';
  readonly #answers = new AnswerCounter();
  #counted: 'any' | 'file' = 'any';

  constructor(options: JobKillOptions, storage: Storage, apiKey: string, webhookUrl: string) {
    this.#options = options;
    this.#storage = storage;
    this.#apiKey = apiKey;
    this.#webhookUrl = webhookUrl;
    this.#random = seededRandom(options.seed);
  }

  /** Runs one server from start to kill. */
  async runAndKill(): Promise<void> {
    await this.#start();
    const clients = this.#clients();
    await this.#waitForAnswers();
    this.#state = 'killed';
    await this.#server.kill();
    await Promise.all(clients);
  }

  /** Runs a last server until everything has ended. */
  async end(): Promise<void> {
    await this.#start();
    this.#state = 'calm';
    await Promise.all(this.#clients());
    await this.#passWebhookTime();
    for (const deadline = Date.now() + END_MS_MAX; ; await wait(200)) {
      const open = await this.#storage.write
        .selectFrom('jobs')
        .select(['id', 'state', 'webhook_state', 'attempts'])
        .where(({ eb, or }) =>
          or([eb('state', 'in', ['waiting', 'running', 'receiving']), eb('webhook_state', '=', 'due')]),
        )
        .execute();
      if (open.length === 0) break;
      assert.ok(Date.now() < deadline, `still open: ${JSON.stringify(open.slice(0, 5))}`);
      await this.#passWebhookTime();
    }
    for (const job of this.jobs) await this.#checkResult([...job.ids][0]!);
    await this.#server.kill();
  }

  #clients(): Promise<void>[] {
    return [
      ...Array.from({ length: FILE_CLIENTS }, () =>
        this.#load('file', this.files, this.#openFiles, (keyed) => this.#sendFile(keyed)),
      ),
      ...Array.from({ length: JOB_CLIENTS }, () =>
        this.#load('job', this.jobs, this.#openSubmissions, (keyed) => this.#submit(keyed)),
      ),
    ];
  }

  async #start(): Promise<void> {
    this.#state = 'loaded';
    const settings = {
      FAIRCOPY_JOBS: 'true',
      FAIRCOPY_JOBS_SECRET: JOBS_SECRET,
      FAIRCOPY_IDEMPOTENCY_STORE: this.#random() < 0.5 ? 'memory' : 'database',
    };
    this.#server = await ServerChild.start(this.#options.database, settings, 'job-server-process');
  }

  /** Sends unanswered requests first. */
  async #load(
    kind: 'file' | 'job',
    all: Keyed[],
    open: Keyed[],
    send: (keyed: Keyed) => Promise<boolean>,
  ): Promise<void> {
    while (this.#state === 'loaded' || (this.#state === 'calm' && open.length > 0)) {
      let keyed = open.shift();
      if (keyed === undefined) {
        keyed = { key: randomUUID(), tries: 0, ids: new Set() };
        all.push(keyed);
      }
      keyed.tries += 1;
      const isAnswered = await send(keyed);
      if (!isAnswered) open.push(keyed);
      // Sends some answered requests again, like a client that lost the response.
      else if (this.#state === 'loaded' && this.#random() < 0.2) open.push(keyed);
      if (isAnswered && (this.#counted === 'any' || kind === 'file')) this.#answers.count();
    }
  }

  #post(path: string, keyed: Keyed, body: Buffer): Promise<Response> {
    const headers = { authorization: `Token ${this.#apiKey}`, 'content-type': FORM_TYPE, 'idempotency-key': keyed.key };
    return fetch(`${this.#server.address}${path}`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(120_000),
    });
  }

  async #sendFile(keyed: Keyed): Promise<boolean> {
    const body = await this.#answer(() => this.#post('/v1/transcribe', keyed, form(MODEL, file(WAV))));
    if (body === null) return false;
    const { request_id, result } = successResponse.parse(body);
    assert.equal(result.transcript.toLowerCase().replace(/[^a-z ]/g, ''), WORDS.join(' '));
    keyed.ids.add(request_id);
    return true;
  }

  async #submit(keyed: Keyed): Promise<boolean> {
    if (this.#state === 'loaded' && keyed.tries === 1) await this.#untilRoom();
    const clip = form(MODEL, field('webhook', this.#webhookUrl), file(WAV));
    const body = await this.#answer(() => this.#post('/v1/jobs', keyed, clip));
    if (body === null) return false;
    keyed.ids.add(jobResponse.parse(body).job.id);
    return true;
  }

  async #untilRoom(): Promise<void> {
    while (this.#state === 'loaded') {
      const { open } = await this.#storage.read
        .selectFrom('jobs')
        .select(({ fn }) => fn.countAll<number>().as('open'))
        .where('state', 'in', ['waiting', 'running'])
        .executeTakeFirstOrThrow();
      if (Number(open) < OPEN_JOBS_MAX) return;
      await wait(50);
    }
  }

  /** The body of a success; null if the connection broke or the server asked for a retry. */
  async #answer(send: () => Promise<Response>): Promise<unknown> {
    try {
      const response = await send();
      const body = await response.json();
      if (response.ok) return body;
      assert.ok([429, 503].includes(response.status), `answered ${response.status}: ${JSON.stringify(body)}`);
      await wait(100);
      return null;
    } catch (thrown) {
      if ((thrown as Error).name === 'AssertionError') throw thrown;
      assert.equal(this.#state, 'killed', `the connection broke while the server ran: ${String(thrown)}`);
      return null;
    }
  }

  #waitForAnswers(): Promise<void> {
    this.#counted = this.#random() < 0.5 ? 'any' : 'file';
    const answers = Math.floor(this.#random() * ANSWERS_BEFORE_KILL_MAX[this.#counted]);
    return this.#answers.waitFor(answers, { msMax: ANSWERS_MS_MAX, pauseMs: this.#random() * 60 });
  }

  /** Makes webhooks of dead servers due now instead of after minutes. */
  async #passWebhookTime(): Promise<void> {
    await this.#storage.write
      .updateTable('jobs')
      .set({ webhook_due_at_ms: 0 })
      .where('webhook_state', '=', 'due')
      .where('webhook_due_at_ms', '>', Date.now() + 20_000)
      .execute();
  }

  async #checkResult(id: string): Promise<void> {
    const headers = { authorization: `Token ${this.#apiKey}` };
    const response = await fetch(`${this.#server.address}/v1/jobs/${id}`, { headers });
    const { job, answer } = jobResponse.parse(await response.json());
    assert.equal(job.state, 'succeeded', JSON.stringify(job));
    assert.equal(answer?.result.transcript.toLowerCase().replace(/[^a-z ]/g, ''), WORDS.join(' '));
  }
}

export const killJobsRepeatedly = async (options: JobKillOptions): Promise<JobKillReport> => {
  const storage = await openStorage(options.database);
  const closers: (() => Promise<void>)[] = [];
  try {
    const { account } = await ensureAccount(storage, 'killed');
    const { key } = await createKey(storage, { accountId: account.id, name: 'load', createdBy: null });
    const receiver = await startReceiver({ after: (close) => closers.push(close) });
    const kills = new JobKills(options, storage, key, receiver.url);
    for (let done = 0; done < options.kills; done++) {
      await kills.runAndKill();
      if (done % 10 === 9) options.onProgress?.(done + 1);
    }
    await kills.end();
    const { files, jobs } = kills;
    for (const { key: sent, ids } of [...files, ...jobs]) assert.equal(ids.size, 1, `the key ${sent} has one request`);
    const expected = [...files, ...jobs].map(({ ids }) => [...ids][0]!);
    assert.equal(new Set(expected).size, expected.length, 'no two keys share a request');
    const rows = await ledger(storage);
    const billed = rows.filter(({ status }) => status === 'success').map(({ request_id }) => request_id);
    assert.deepEqual([...billed].sort(), [...expected].sort(), 'each is billed once, and nothing else is');
    assert.ok(rows.every(({ status, billed_ms }) => (status === 'success') === billed_ms > 0));
    await assertSumsAgree(storage);
    const stored = await storage.read.selectFrom('jobs').select(['id', 'attempts']).execute();
    assert.deepEqual(
      stored.map(({ id }) => id).sort(),
      jobs.map(({ ids }) => [...ids][0]!).sort(),
      'no job is lost or duplicated',
    );
    assert.equal((await storage.read.selectFrom('job_audio').select('job_id').execute()).length, 0, 'no audio is left');
    const delivered = new Set(receiver.received.map(({ headers }) => headers['faircopy-webhook-id']));
    assert.deepEqual([...delivered].sort(), stored.map(({ id }) => id).sort(), 'each webhook has arrived');
    return {
      kills: options.kills,
      jobs: jobs.length,
      resubmitted: jobs.filter(({ tries }) => tries > 1).length,
      begunAgain: stored.filter(({ attempts }) => attempts > 1).length,
      keyedFiles: files.length,
      retried: files.filter(({ tries }) => tries > 1).length,
      webhooks: receiver.received.length,
    };
  } finally {
    for (const close of closers) await close();
    await storage.close();
  }
};
