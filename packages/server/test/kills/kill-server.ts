// Kills the real server and its parts at random moments under load, then compares the ledger with the clients' outcomes.
import assert from 'node:assert/strict';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { openStorage, type StorageOptions } from '../../src/storage/open.ts';
import { type Outcome, type Send, sendFile, sendResampledStream, sendStream } from './clients.ts';
import { assertLedger, countOutcome, newTally, type RequestTally } from './request-tally.ts';
import { AnswerCounter, SERVER_PARTS, ServerChild, type ServerPart } from './server-child.ts';
import { DATABASE_PARTS, type DatabasePart } from './test-postgres.ts';

const CLIENTS: readonly Send[] = [sendFile, sendFile, sendFile, sendFile, sendStream, sendResampledStream];
/** Parts that are killed before the server itself is killed. */
const PARTS_PER_LIFE_MAX = 19;
const ANSWERS_BEFORE_KILL_MAX = 5;
const ANSWERS_MS_MAX = 2_000;
const FIRST_SUCCESS_MS_MAX = 60_000;

export interface ServerKillReport {
  readonly kills: Readonly<Record<string, number>>;
  readonly successes: number;
  /** Requests that got an error, by code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Requests whose connection broke when the server was killed. */
  readonly broken: number;
  /** Broken requests with a success in the ledger: the kill came between the row and the response. */
  readonly undelivered: number;
  /** Requests that got 503 but are recorded as a success: the server was killed before it could reconcile a lost commit. */
  readonly unreconciled: number;
}

export interface ServerKillOptions {
  readonly database: StorageOptions;
  readonly kills: number;
  readonly seed: number;
  /** Kills parts of a dedicated database server. Absent: the database is not killed. */
  readonly killDatabase?: (part: DatabasePart) => Promise<void>;
  /** Called after each server kill with the number of kills so far. */
  readonly onProgress?: (kills: number) => void;
}

export const killServerRepeatedly = async (options: ServerKillOptions): Promise<ServerKillReport> => {
  const { database, kills, seed } = options;
  const storage = await openStorage(database);
  try {
    const { account } = await ensureAccount(storage, 'killed');
    const { key } = await createKey(storage, { accountId: account.id, name: 'load', createdBy: null });
    const random = seededRandom(seed);
    const tally = newTally();
    const killsByPart: Record<string, number> = {};
    for (let left = kills; left > 0; ) {
      const life = new ServerLife(options, key, random, tally);
      const parts = Math.min(left - 1, Math.floor(random() * (PARTS_PER_LIFE_MAX + 1)));
      left -= await life.run(parts, killsByPart);
      await assertLedger(storage, tally);
      options.onProgress?.(kills - left);
    }
    const { successes, refused, broken, undelivered, unreconciled } = tally;
    return {
      kills: killsByPart,
      successes: successes.length,
      refused: Object.fromEntries(refused),
      broken,
      undelivered,
      unreconciled,
    };
  } finally {
    await storage.close();
  }
};

/** One server with its clients, from start to kill. */
class ServerLife {
  readonly #options: ServerKillOptions;
  readonly #key: string;
  readonly #random: () => number;
  readonly #tally: RequestTally;
  #server!: ServerChild;
  #state: 'loaded' | 'calm' | 'killed' = 'loaded';
  readonly #answers = new AnswerCounter();

  constructor(options: ServerKillOptions, key: string, random: () => number, tally: RequestTally) {
    this.#options = options;
    this.#key = key;
    this.#random = random;
    this.#tally = tally;
  }

  /** Returns the number of kills. */
  async run(parts: number, killsByPart: Record<string, number>): Promise<number> {
    this.#server = await ServerChild.start(this.#options.database);
    const clients = CLIENTS.map((send) => this.#load(send));
    let kills = 0;
    for (let nth = 0; nth < parts; nth++) {
      await this.#waitForAnswers();
      const part = await this.#killPart();
      if (part === undefined) continue;
      killsByPart[part] = (killsByPart[part] ?? 0) + 1;
      kills += 1;
    }
    await this.#waitForAnswers();
    await this.#waitForFirstSuccess();
    // Half of the runs end without load: then the ledger must match the responses exactly.
    if (this.#random() < 0.5) {
      this.#state = 'calm';
      await Promise.all(clients);
    }
    this.#state = 'killed';
    await this.#server.kill();
    await Promise.all(clients);
    killsByPart.server = (killsByPart.server ?? 0) + 1;
    return kills + 1;
  }

  async #load(send: Send): Promise<void> {
    while (this.#state === 'loaded') {
      const outcome = await send(this.#server.address, this.#key);
      this.#check(outcome);
      countOutcome(this.#tally, outcome);
      this.#answers.count();
    }
  }

  #check(outcome: Outcome): void {
    assert.notEqual(outcome.kind, 'hung', 'every client is answered');
    // Only the kill of the whole server may break connections.
    if (outcome.kind === 'broken') assert.equal(this.#state, 'killed', 'the connection broke while the server ran');
  }

  #waitForAnswers(): Promise<void> {
    const answers = Math.floor(this.#random() * ANSWERS_BEFORE_KILL_MAX);
    return this.#answers.waitFor(answers, { msMax: ANSWERS_MS_MAX, pauseMs: this.#random() * 30 });
  }

  /** A slow machine may have answered nothing before any of the kills. */
  async #waitForFirstSuccess(): Promise<void> {
    const deadline = Date.now() + FIRST_SUCCESS_MS_MAX;
    while (this.#tally.successes.length === 0 && Date.now() < deadline)
      await this.#answers.waitFor(1, { msMax: ANSWERS_MS_MAX, pauseMs: 0 });
  }

  /** Returns the killed part; undefined if there was none of that kind. */
  async #killPart(): Promise<ServerPart | DatabasePart | undefined> {
    const { database, killDatabase } = this.#options;
    const ofServer: readonly ServerPart[] =
      database.databaseUrl === undefined ? SERVER_PARTS : SERVER_PARTS.filter((part) => part !== 'database thread');
    const parts = [...ofServer, ...(killDatabase ? DATABASE_PARTS : [])];
    const part = parts[Math.floor(this.#random() * parts.length)]!;
    if ((DATABASE_PARTS as readonly string[]).includes(part)) {
      await killDatabase!(part as DatabasePart);
      return part;
    }
    return (await this.#server.killPart(part as ServerPart)) ? part : undefined;
  }
}
