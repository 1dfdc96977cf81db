// Recognises the windows of one session: settled ones in order, and a speculative tail that later speech may replace.

import { type Deferred, deferred } from '../../lib/time/deferred.ts';
import type { RecogniseJob, Recognition } from '../../speech/recogniser.ts';
import { LanguageBelief } from '../language/belief.ts';
import { type Window, windowKey, windowSamples } from '../planning/window.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import { Cancelled, type Ticket, type Urgency } from '../scheduling/task.ts';
import type { RecognisedWindow } from './assemble.ts';
import { PromptContext } from './prompt-context.ts';
import { type RecognitionAttempt, recogniseWindow, type WindowAudio } from './recognise-window.ts';
import { readWindow, type SampleBuffer } from './sample-buffer.ts';

export interface WindowRecogniserOptions {
  readonly scheduler: Scheduler;
  readonly buffer: SampleBuffer;
  readonly accountId: string;
  readonly requestId: string;
  /** Whether all of it is background work, however urgent it is within its session. */
  readonly isBackground?: boolean;
  /** Everything of the job but what differs from window to window. */
  readonly job: Omit<RecogniseJob, 'requestId' | 'samples' | 'pausePositions' | 'precedingText' | 'language'>;
  /** Called whenever a window is recognised, settled or speculative. */
  readonly onProgress: () => void;
  /** Called when a settled window cannot be recognised; speculative ones fail silently. */
  readonly onFailure: (failure: unknown) => void;
}

interface Work {
  readonly window: Window;
  /** The settled window before it. */
  previous: Work | undefined;
  readonly samples: number;
  /** failed: speculative work that failed; it is tried again when its window is settled. dropped: no longer worked on, though its result may be used. */
  state: 'speculative' | 'settled' | 'failed' | 'dropped';
  urgency: Urgency;
  /** What waits or runs for it. */
  readonly tickets: Set<Ticket>;
  /** Whether a recogniser has answered once, though the window may be recognised again. */
  answered: boolean;
  /** The window, or its parts, once recognised. */
  recognised: readonly RecognisedWindow[] | undefined;
}

const isRecognised = (works: readonly Work[]): boolean => works.length > 0 && works.every((work) => work.recognised);

export class WindowRecogniser {
  readonly #options: WindowRecogniserOptions;
  readonly #belief = new LanguageBelief();
  readonly #promptContext = new PromptContext();
  readonly #settled: Work[] = [];
  readonly #speculative = new Map<string, Work>();
  /** The newest speculative tail, and the newest one whose windows are all recognised. */
  #tail: readonly Work[] = [];
  #recognisedTail: readonly Work[] = [];
  /** Settles when the first window is recognised; the others wait for it, since it tells their language. */
  #first: Deferred<void> | undefined;
  #pendingSamples = 0;
  #heldBackSamples = 0;
  #version = 0;
  #answered = false;
  #started = false;
  #over = false;

  constructor(options: WindowRecogniserOptions) {
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

  /** Audio of windows that the scheduler does not know of yet, since they wait for the first one. */
  get heldBackSamples(): number {
    return this.#heldBackSamples;
  }

  /** Another number whenever what is settled, speculative or recognised has changed. */
  get version(): number {
    return this.#version;
  }

  /** How many windows are settled; grows only. */
  get settledCount(): number {
    return this.#settled.length;
  }

  /** A window that will not change any more. A speculative recognition of the same audio is kept. */
  settle(window: Window, urgency: Urgency): void {
    this.#version += 1;
    const key = windowKey(window);
    const speculated =
      this.#speculative.get(key) ??
      this.#recognisedTail.find((work) => work.recognised && windowKey(work.window) === key);
    this.#speculative.delete(key);
    const work = speculated && speculated.state !== 'failed' ? speculated : this.#begin(window, 'settled', urgency);
    work.state = 'settled';
    work.previous = this.#settled.at(-1);
    this.#settled.push(work);
    if (work.recognised) return;
    this.#pendingSamples += work.samples;
    this.#setUrgency(work, urgency);
  }

  /** Recognises these windows ahead of time as the likely tail; earlier speculative ones that are not among them are dropped. */
  speculate(windows: readonly Window[]): void {
    if (isRecognised(this.#tail)) this.#recognisedTail = this.#tail;
    this.keepOnly(windows);
    for (const window of windows) {
      const key = windowKey(window);
      if (this.#speculative.has(key)) continue;
      this.#version += 1;
      this.#speculative.set(key, this.#begin(window, 'speculative', 'speculative'));
    }
    this.#tail = windows.map((window) => this.#speculative.get(windowKey(window))!);
  }

  /** Whether all of these windows are speculative already, recognised or on the way. */
  isSpeculative(windows: readonly Window[]): boolean {
    return windows.every((window) => this.#speculative.get(windowKey(window))?.state === 'speculative');
  }

  /** The newest tail that was recognised ahead of time, though more may have been said since. */
  recognisedTail(): readonly Window[] {
    if (isRecognised(this.#tail)) this.#recognisedTail = this.#tail;
    return this.#recognisedTail.map(({ window }) => window);
  }

  /** Drops the speculative windows that are not among these. */
  keepOnly(windows: readonly Window[]): void {
    if (this.#speculative.size === 0) return;
    const keys = new Set(windows.map(windowKey));
    for (const [key, work] of this.#speculative) {
      if (keys.has(key)) continue;
      this.#version += 1;
      this.#speculative.delete(key);
      work.state = 'dropped';
      for (const ticket of work.tickets) ticket.cancel();
    }
  }

  /** Somebody waits for the answer now. */
  expedite(): void {
    for (const work of this.#settled) this.#setUrgency(work, 'final');
  }

  /** Everything recognised in order, settled windows and then this speculative tail; null while something is missing. */
  completed(tail: readonly Window[] = []): RecognisedWindow[] | null {
    const works = [...this.#settled, ...tail.map((window) => this.#speculative.get(windowKey(window)))];
    const recognised: RecognisedWindow[] = [];
    for (const work of works) {
      if (!work?.recognised) return null;
      recognised.push(...work.recognised);
    }
    return recognised;
  }

  /** The settled windows from the first one on, up to the first that is not recognised yet. */
  recognisedPrefix(): RecognisedWindow[] {
    const missing = this.#settled.findIndex(({ recognised }) => !recognised);
    const prefix = missing === -1 ? this.#settled : this.#settled.slice(0, missing);
    return prefix.flatMap(({ recognised }) => recognised ?? []);
  }

  /** Stops all work. Nothing is called back afterwards. */
  cancel(): void {
    this.#over = true;
    for (const { tickets } of [...this.#settled, ...this.#speculative.values()]) {
      for (const ticket of tickets) ticket.cancel();
    }
    this.#speculative.clear();
    this.#pendingSamples = 0;
  }

  #setUrgency(work: Work, urgency: Urgency): void {
    work.urgency = urgency;
    if (this.#options.isBackground) return;
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
      answered: false,
      recognised: undefined,
    };
    void this.#recognise(work, readWindow(window, this.#options.buffer));
    return work;
  }

  async #recognise(work: Work, samples: Float32Array): Promise<void> {
    const began = work.state;
    try {
      work.recognised = await recogniseWindow(work.window, samples, this.#belief, (audio, attempt) =>
        this.#submit(work, audio, attempt),
      );
    } catch (failure) {
      if (this.#over || failure instanceof Cancelled) return;
      // A speculative window that was settled in the meantime gets a try of its own.
      if (began === 'speculative' && work.state === 'settled') void this.#recognise(work, samples);
      else if (work.state === 'settled') this.#options.onFailure(failure);
      else work.state = 'failed';
      return;
    }
    this.#version += 1;
    if (work.state === 'settled') this.#pendingSamples -= work.samples;
    if (!this.#over) this.#options.onProgress();
  }

  /** Speculative windows neither wait for the first window nor are waited for: a busy server may never recognise them. */
  async #submit(work: Work, audio: WindowAudio, attempt: RecognitionAttempt): Promise<Recognition> {
    this.#heldBackSamples += audio.samples.length;
    while (this.#first && work.state === 'settled') await this.#first.promise;
    this.#heldBackSamples -= audio.samples.length;
    if (this.#over || work.state === 'dropped') throw new Cancelled();
    if (this.#answered || work.state !== 'settled') return this.#schedule(work, audio, attempt);
    const first = deferred<void>();
    this.#first = first;
    try {
      return await this.#schedule(work, audio, attempt);
    } finally {
      this.#first = undefined;
      first.resolve();
    }
  }

  async #schedule(work: Work, audio: WindowAudio, { language, onResult }: RecognitionAttempt): Promise<Recognition> {
    const { scheduler, accountId, requestId, isBackground, job } = this.#options;
    const { samples, pauses, startSample, endSample } = audio;
    const ticket = scheduler.submit({
      accountId,
      requestId,
      urgency: isBackground ? 'background' : work.urgency,
      tier: job.tier,
      audioSamples: samples.length,
      job: () => {
        this.#started = true;
        return {
          ...job,
          samples,
          requestId,
          pausePositions: pauses,
          precedingText: this.#promptContext.before(startSample),
          language: language(),
        };
      },
      onResult: (recognition) => {
        this.#answered = true;
        work.answered = true;
        onResult(recognition);
        this.#promptContext.add(endSample, recognition);
      },
      position: startSample,
      // A window that is recognised again takes longest: begun last, it alone would delay the answer.
      hasContext: () => work.answered || (work.previous?.answered ?? true),
    });
    work.tickets.add(ticket);
    try {
      return await ticket.result;
    } finally {
      work.tickets.delete(ticket);
    }
  }
}
