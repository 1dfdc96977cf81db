// Simulated callers: live streams and files of many accounts, which retry refused requests like the client library.
import { LIMITS, type ModelId } from '@faircopy/contract';
import { backOffMs } from '../../src/jobs/back-off.ts';
import type { SpeechWindow } from '../../src/speech/recogniser.ts';
import { windowOf } from '../../src/speech/testing/recogniser-fixtures.ts';
import type { ExpectedWork } from '../../src/transcription/scheduling/expected-work.ts';
import type { Ticket, Urgency } from '../../src/transcription/scheduling/task.ts';
import type { Fleet } from './fleet.ts';
import type { OpenRequest, SimulatedGateway, World } from './machines.ts';
import { CALLER_BACK_OFF, capacityOf, type Plan, pick, type Random, TIERS, workOf } from './plan.ts';

/** Files are from one minute to half an hour long, short ones more often. */
const FILE_SECONDS = { least: 60, most: 1_800 } as const;
/** Template for all windows. */
const WINDOW: SpeechWindow = windowOf();
const FILE_SECONDS_MEAN = (FILE_SECONDS.most - FILE_SECONDS.least) / Math.log(FILE_SECONDS.most / FILE_SECONDS.least);
const STREAM_SECONDS_MEAN = 600;
/** A file's upload pauses while more than this much of its audio waits or runs. */
const FILE_AHEAD_SECONDS = 120;
const ATTEMPTS_MAX = 6;
/** The default limit of accounts. */
const WAITING_SECONDS_MAX = LIMITS.waitingSecondsPerAccountMax;
export const GREEDY = 'greedy';

/** A caller's request, and the caller's random numbers. */
interface Request {
  readonly mode: 'file' | 'stream';
  readonly account: string;
  readonly tier: ModelId;
  readonly random: Random;
}

/** The load of a stream. Streams share `liveCost`, so that hundreds of them need no update before each admission. */
class StreamWork implements ExpectedWork {
  readonly accountId: string;
  readonly audioSeconds = 0;
  readonly cost = 0;
  readonly #speechShare: number;
  readonly #liveCost: { readonly perSecond: number };

  constructor(accountId: string, speechShare: number, liveCost: { readonly perSecond: number }) {
    this.accountId = accountId;
    this.#speechShare = speechShare;
    this.#liveCost = liveCost;
  }

  get liveLoad(): number {
    return this.#speechShare * this.#liveCost.perSecond;
  }
}

export class Callers {
  readonly #world: World;
  readonly #plan: Plan;
  readonly #fleet: Fleet;
  /** Cache of silence by length. */
  readonly #samples = new Map<number, Float32Array>();
  #nextRequest = 0;
  /** Factor on the plan's rate of files. */
  fileRate: (second: number) => number = () => 1;

  constructor(world: World, plan: Plan, fleet: Fleet) {
    this.#world = world;
    this.#plan = plan;
    this.#fleet = fleet;
  }

  start(): void {
    const { time, randomOf } = this.#world;
    const { streams, accounts, filesPerAccount, greedyFiles, warmUpSeconds } = this.#plan;
    const begin = (caller: number, withinMs: number, work: (random: Random) => void) => {
      const random = randomOf(caller);
      time.after(1000 + withinMs * random(), () => work(random));
    };
    let caller = 0;
    // Streams open one after the other during half of the warm-up.
    for (let nth = 0; nth < streams; nth++)
      begin(caller++, 500 * warmUpSeconds, (random) => this.#openStream(this.#anyAccount(random), random));
    for (let nth = 0; nth < accounts * filesPerAccount; nth++)
      begin(caller++, 5_000, (random) => this.#keepFile(`account-${nth % accounts}`, random));
    for (let nth = 0; nth < greedyFiles; nth++) begin(caller++, 5_000, (random) => this.#keepFile(GREEDY, random));
    if (this.#plan.fileLoad > 0) time.after(1000, () => this.#nextFile());
  }

  #anyAccount(random: Random): string {
    return `account-${Math.floor(random() * this.#plan.accounts)}`;
  }

  #anyTier(random: Random): ModelId {
    return pick(random, TIERS.slice(0, this.#plan.tiers)).tier;
  }

  #nextFile(): void {
    const { time, random } = this.#world;
    const nowSeconds = time.monotonicMs() / 1000;
    const perSecond = (this.#plan.fileLoad * capacityOf(this.#plan) * this.fileRate(nowSeconds)) / FILE_SECONDS_MEAN;
    time.after((-1000 * Math.log(1 - random())) / Math.max(1e-6, perSecond), () => {
      this.#openFile(this.#anyAccount(random), random, () => {});
      this.#nextFile();
    });
  }

  /** Keeps one file of the account open: sends the next one when a file is done. */
  #keepFile(account: string, random: Random): void {
    this.#openFile(account, random, () => this.#world.time.after(10, () => this.#keepFile(account, random)));
  }

  #openFile(account: string, random: Random, onEnd: () => void): void {
    const seconds = FILE_SECONDS.least * (FILE_SECONDS.most / FILE_SECONDS.least) ** random();
    const request: Request = { mode: 'file', account, tier: this.#anyTier(random), random };
    this.#world.figures.requests += 1;
    this.#enter(request, onEnd, (gateway) => this.#sendFile(gateway, request, seconds, onEnd));
  }

  #openStream(account: string, random: Random): void {
    const request: Request = { mode: 'stream', account, tier: this.#anyTier(random), random };
    const again = () => this.#world.time.after(100, () => this.#openStream(this.#anyAccount(random), random));
    this.#world.figures.requests += 1;
    this.#enter(request, again, (gateway) => this.#speak(gateway, request, again));
  }

  /** Enters again a moment later, after everything that fails at the same time has failed. */
  #comeBack(...[request, giveUp, begin]: [Request, () => void, (gateway: SimulatedGateway) => void]): void {
    this.#world.time.after(1, () => this.#enter(request, giveUp, begin));
  }

  /** Asks a random gateway for admission; if it refuses, retries with backoff. */
  #enter(request: Request, giveUp: () => void, begin: (gateway: SimulatedGateway) => void, attempt = 0): void {
    const { figures, time } = this.#world;
    const { mode, account, tier, random } = request;
    const retry = (afterSeconds: number) => {
      if (attempt + 1 >= ATTEMPTS_MAX) {
        figures.givenUp += 1;
        // The person tries again later.
        time.after(10_000 + 10_000 * random(), giveUp);
        return;
      }
      const delayMs = 1000 * afterSeconds + backOffMs(CALLER_BACK_OFF, attempt + 1, random);
      time.after(delayMs, () => this.#enter(request, giveUp, begin, attempt + 1));
    };
    const gateway = this.#fleet.anyGateway();
    // During the warm-up, streams begin without admission, as if they had been open before.
    if (gateway && mode === 'stream' && attempt === 0 && time.monotonicMs() < 1000 * this.#plan.warmUpSeconds) {
      begin(gateway);
      return;
    }
    if (!gateway) {
      retry(1);
      return;
    }
    figures.attempts += 1;
    const asked = { mode, models: [tier], accountId: account, waitingSecondsMax: WAITING_SECONDS_MAX } as const;
    const answer = gateway.admit({ ...asked, step: mode === 'file' ? 'enter' : 'begin' });
    if (!answer.admitted) {
      figures.refused(time.monotonicMs());
      retry(answer.retryAfterSeconds);
      return;
    }
    if (mode === 'file') gateway.admit({ ...asked, step: 'begin' });
    begin(gateway);
  }

  #sendFile(gateway: SimulatedGateway, request: Request, seconds: number, onEnd: () => void): void {
    const { figures } = this.#world;
    const { account, tier, random } = request;
    const requestId = `file-${this.#nextRequest++}`;
    let [unsent, ahead, isOver] = [seconds, 0, false];
    const { waiting } = gateway;
    const open: OpenRequest = {
      // As in a real session, a file with windows in the queue is not expected to add more work than those.
      work: { accountId: account, audioSeconds: 0, cost: 0 },
      cut: () => {
        isOver = true;
        waiting.change(account, -ahead);
        figures.cutRequests += 1;
        this.#comeBack(request, onEnd, (other) => this.#sendFile(other, request, seconds, onEnd));
      },
    };
    gateway.open.add(open);
    const end = () => {
      isOver = true;
      waiting.change(account, -ahead);
      gateway.open.delete(open);
      onEnd();
    };
    const send = () => {
      while (unsent > 0 && ahead <= FILE_AHEAD_SECONDS && waiting.mayGrow(account, ahead, WAITING_SECONDS_MAX)) {
        const part = Math.min(unsent, this.#plan.windowSeconds * (0.8 + 0.4 * random()));
        unsent -= part;
        ahead += part;
        waiting.change(account, part);
        const { result } = this.#submit(gateway, { account, requestId, tier, seconds: part, urgency: 'steady' });
        result.then(
          () => {
            if (isOver) return;
            ahead -= part;
            waiting.change(account, -part);
            this.#done(account, gateway, tier, part);
            if (unsent <= 0 && ahead < 1e-6) {
              gateway.scheduler.audioLength.learn('file', tier, seconds);
              end();
            } else send();
          },
          () => {
            if (isOver) return;
            figures.failedWindows += 1;
            end();
          },
        );
      }
    };
    send();
  }

  #speak(gateway: SimulatedGateway, request: Request, onEnd: () => void): void {
    const { time, figures } = this.#world;
    const { account, tier, random } = request;
    const { windowSeconds, speechShare } = this.#plan;
    const requestId = `stream-${this.#nextRequest++}`;
    const endsMs = time.monotonicMs() - 1000 * STREAM_SECONDS_MEAN * Math.log(1 - random());
    let isOver = false;
    const open: OpenRequest = {
      work: new StreamWork(account, speechShare, gateway.liveCosts.get(tier)!),
      cut: () => {
        isOver = true;
        figures.cutRequests += 1;
        this.#comeBack(request, onEnd, (other) => this.#speak(other, request, onEnd));
      },
    };
    gateway.open.add(open);
    const speak = (seconds: number) =>
      time.after((1000 * seconds) / speechShare, () => {
        if (isOver) return;
        const { result } = this.#submit(gateway, { account, requestId, tier, seconds, urgency: 'final' });
        result.then(
          () => isOver || this.#done(account, gateway, tier, seconds),
          () => {
            if (!isOver) figures.failedWindows += 1;
          },
        );
        if (time.monotonicMs() < endsMs) return speak(windowSeconds * (0.5 + random()));
        isOver = true;
        gateway.open.delete(open);
        return onEnd();
      });
    speak(windowSeconds * (0.1 + random()));
  }

  #submit(
    gateway: SimulatedGateway,
    of: { account: string; requestId: string; tier: ModelId; seconds: number; urgency: Urgency },
  ): Ticket {
    const { account, requestId, tier, seconds, urgency } = of;
    return gateway.scheduler.submit({
      accountId: account,
      requestId,
      tier,
      urgency,
      isLive: urgency === 'final',
      audioSamples: 16_000 * seconds,
      window: () => ({ ...WINDOW, requestId, tier, samples: this.#samplesOf(seconds) }),
    });
  }

  #done(account: string, { name }: SimulatedGateway, tier: ModelId, seconds: number): void {
    this.#world.figures.done({
      account,
      gateway: name,
      tier,
      audioSeconds: seconds,
      workSeconds: workOf(tier, seconds),
    });
  }

  #samplesOf(seconds: number): Float32Array {
    const tenths = Math.max(1, Math.round(10 * seconds));
    const made = this.#samples.get(tenths) ?? new Float32Array((tenths / 10) * this.#world.samplesPerSecond);
    this.#samples.set(tenths, made);
    return made;
  }
}
