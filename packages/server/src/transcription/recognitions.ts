// The recognitions of one session: settled windows in order, and guesses at its tail that may yet be overtaken.
import type { RecogniseJob, Recognition } from '../speech/recogniser.ts';
import type { RecognisedWindow } from './assemble.ts';
import { type Deferred, deferred } from './deferred.ts';
import { hearWindow, type Passage, type Question } from './hear-window.ts';
import { LanguageBelief } from './language.ts';
import { Cancelled, type Scheduler, type Ticket, type Urgency } from './scheduler.ts';
import type { Tape } from './tape.ts';
import { TextMemory } from './text-memory.ts';
import { readWindow, type Window, windowKey, windowSamples } from './window.ts';

export interface RecognitionsOptions {
  readonly scheduler: Scheduler;
  readonly tape: Tape;
  readonly accountId: string;
  readonly requestId: string;
  /** Everything of the job but what differs from window to window. */
  readonly job: Omit<RecogniseJob, 'requestId' | 'samples' | 'pausePositions' | 'precedingText' | 'language'>;
  /** Called whenever a window is recognised, settled or guessed. */
  readonly onProgress: () => void;
  /** Called when a settled window cannot be recognised; guesses fail silently. */
  readonly onFailure: (failure: unknown) => void;
}

interface Work {
  readonly window: Window;
  /** The settled window before it. */
  previous: Work | undefined;
  readonly samples: number;
  /** failed: a guess that went wrong, asked for again only when its window is settled. dropped: it is not worked on; what it gave may stand. */
  state: 'guessed' | 'settled' | 'failed' | 'dropped';
  urgency: Urgency;
  /** What waits or runs for it. */
  readonly tickets: Set<Ticket>;
  /** Whether a recogniser has heard it once, though it may be heard again. */
  heard: boolean;
  /** The window, or its parts, once recognised. */
  recognised: readonly RecognisedWindow[] | undefined;
}

const isRecognised = (works: readonly Work[]): boolean => works.length > 0 && works.every((work) => work.recognised);

export class Recognitions {
  readonly #options: RecognitionsOptions;
  readonly #belief = new LanguageBelief();
  readonly #memory = new TextMemory();
  readonly #settled: Work[] = [];
  readonly #guesses = new Map<string, Work>();
  /** The last tail that was guessed, and the last one that was recognised to its end. */
  #tail: readonly Work[] = [];
  #standing: readonly Work[] = [];
  /** Settles when the first window is heard, for which the others wait: it tells their language. */
  #first: Deferred<void> | undefined;
  #pendingSamples = 0;
  #heldSamples = 0;
  #version = 0;
  #heard = false;
  #started = false;
  #over = false;

  constructor(options: RecognitionsOptions) {
    this.#options = options;
  }

  /** Whether any window has been handed to a recogniser. */
  get started(): boolean {
    return this.#started;
  }

  /** Audio of settled windows that no recogniser has answered yet. */
  get pendingSamples(): number {
    return this.#pendingSamples;
  }

  /** Audio of windows that the scheduler does not know of yet, since the first is to be heard before them. */
  get heldSamples(): number {
    return this.#heldSamples;
  }

  /** Samples of settled windows in which speech was heard. */
  get voicedSamples(): number {
    return this.#settled.reduce((total, { window }) => total + window.voicedSamples, 0);
  }

  /** Another number whenever what is settled, guessed or recognised has changed. */
  get version(): number {
    return this.#version;
  }

  /** How many windows are settled; grows only. */
  get settledCount(): number {
    return this.#settled.length;
  }

  /** A window that will not change any more. A guess that was right is kept. */
  settle(window: Window, urgency: Urgency): void {
    this.#version += 1;
    const key = windowKey(window);
    const guess =
      this.#guesses.get(key) ?? this.#standing.find((work) => work.recognised && windowKey(work.window) === key);
    this.#guesses.delete(key);
    const work = guess && guess.state !== 'failed' ? guess : this.#begin(window, 'settled', urgency);
    work.state = 'settled';
    work.previous = this.#settled.at(-1);
    this.#settled.push(work);
    if (work.recognised) return;
    this.#pendingSamples += work.samples;
    this.#urge(work, urgency);
  }

  /** Takes these windows as the likely tail; what was guessed before and is not among them is dropped. */
  guess(windows: readonly Window[]): void {
    if (isRecognised(this.#tail)) this.#standing = this.#tail;
    this.drop(windows);
    for (const window of windows) {
      const key = windowKey(window);
      if (this.#guesses.has(key)) continue;
      this.#version += 1;
      this.#guesses.set(key, this.#begin(window, 'guessed', 'speculative'));
    }
    this.#tail = windows.map((window) => this.#guesses.get(windowKey(window))!);
  }

  /** Whether all of these windows are guessed, recognised or on the way. */
  isGuessed(windows: readonly Window[]): boolean {
    return windows.every((window) => this.#guesses.get(windowKey(window))?.state === 'guessed');
  }

  /** The windows of the last tail that was guessed and recognised, though more may have been said since. */
  standing(): readonly Window[] {
    if (isRecognised(this.#tail)) this.#standing = this.#tail;
    return this.#standing.map(({ window }) => window);
  }

  /** Drops the guesses that are not among these windows. */
  drop(windows: readonly Window[]): void {
    if (this.#guesses.size === 0) return;
    const keys = new Set(windows.map(windowKey));
    for (const [key, work] of this.#guesses) {
      if (keys.has(key)) continue;
      this.#version += 1;
      this.#guesses.delete(key);
      work.state = 'dropped';
      for (const ticket of work.tickets) ticket.cancel();
    }
  }

  /** Somebody waits for the answer now. */
  urge(): void {
    for (const work of this.#settled) this.#urge(work, 'final');
  }

  /** Everything recognised in order, settled windows and then these guesses; null while something is missing. */
  completed(tail: readonly Window[] = []): RecognisedWindow[] | null {
    const works = [...this.#settled, ...tail.map((window) => this.#guesses.get(windowKey(window)))];
    const recognised: RecognisedWindow[] = [];
    for (const work of works) {
      if (!work?.recognised) return null;
      recognised.push(...work.recognised);
    }
    return recognised;
  }

  /** Stops all work. Nothing is called back afterwards. */
  cancel(): void {
    this.#over = true;
    for (const { tickets } of [...this.#settled, ...this.#guesses.values()]) {
      for (const ticket of tickets) ticket.cancel();
    }
    this.#guesses.clear();
    this.#pendingSamples = 0;
  }

  #urge(work: Work, urgency: Urgency): void {
    work.urgency = urgency;
    for (const ticket of work.tickets) ticket.setUrgency(urgency);
  }

  #begin(window: Window, state: Work['state'], urgency: Urgency): Work {
    const work: Work = {
      window,
      previous: this.#settled.at(-1),
      samples: windowSamples(window),
      state,
      urgency,
      tickets: new Set(),
      heard: false,
      recognised: undefined,
    };
    void this.#recognise(work, readWindow(window, this.#options.tape));
    return work;
  }

  async #recognise(work: Work, samples: Float32Array): Promise<void> {
    const began = work.state;
    try {
      work.recognised = await hearWindow(work.window, samples, this.#belief, (passage, question) =>
        this.#submit(work, passage, question),
      );
      this.#version += 1;
      if (work.state === 'settled') this.#pendingSamples -= work.samples;
      if (!this.#over) this.#options.onProgress();
    } catch (failure) {
      if (this.#over || failure instanceof Cancelled) return;
      // A guess that turned out right in the meantime deserves a try of its own.
      if (began === 'guessed' && work.state === 'settled') void this.#recognise(work, samples);
      else if (work.state === 'settled') this.#options.onFailure(failure);
      else work.state = 'failed';
    }
  }

  /** Guesses neither wait for the first window nor are they waited for: on a busy server they may never be made. */
  async #submit(work: Work, passage: Passage, question: Question): Promise<Recognition> {
    this.#heldSamples += passage.samples.length;
    while (this.#first && work.state === 'settled') await this.#first.promise;
    this.#heldSamples -= passage.samples.length;
    if (this.#over || work.state === 'dropped') throw new Cancelled();
    if (this.#heard || work.state !== 'settled') return this.#ask(work, passage, question);
    const first = deferred<void>();
    this.#first = first;
    try {
      return await this.#ask(work, passage, question);
    } finally {
      this.#first = undefined;
      first.resolve();
    }
  }

  async #ask(work: Work, passage: Passage, { language, learn }: Question): Promise<Recognition> {
    const { scheduler, accountId, requestId, job } = this.#options;
    const { samples, pausePositions, startSample, endSample } = passage;
    const ticket = scheduler.submit({
      accountId,
      requestId,
      urgency: work.urgency,
      tier: job.tier,
      audioSamples: samples.length,
      job: () => {
        this.#started = true;
        return {
          ...job,
          requestId,
          samples,
          pausePositions,
          precedingText: this.#memory.before(startSample),
          language: language(),
        };
      },
      learn: (recognition) => {
        this.#heard = true;
        work.heard = true;
        learn(recognition);
        this.#memory.add(endSample, recognition);
      },
      place: startSample,
      // What is heard again takes longest: begun last, it would be waited for alone.
      continues: () => work.heard || (work.previous?.heard ?? true),
    });
    work.tickets.add(ticket);
    try {
      return await ticket.result;
    } finally {
      work.tickets.delete(ticket);
    }
  }
}
