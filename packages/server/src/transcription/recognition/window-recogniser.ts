// Recognises the windows of a session: committed ones in any case, speculative ones until later speech replaces them.
import { type Deferred, deferred } from '../../lib/time/deferred.ts';
import type { Recognition } from '../../speech/recogniser.ts';
import { LanguageBelief } from '../language/belief.ts';
import { type Window, windowKey, windowSamples } from '../planning/window.ts';
import { Cancelled, type Urgency } from '../scheduling/task.ts';
import type { RecognisedWindow } from './assemble.ts';
import { PromptContext } from './prompt-context.ts';
import { audioOf, type RecognitionAttempt, recogniseWindow, type WindowAudio } from './recognise-window.ts';
import { draftAlong, type RunUp, RunUps, withoutRunUp } from './run-up.ts';
import { readWindow } from './sample-buffer.ts';
import type { WindowRecogniserOptions, WindowWork, Work } from './window-work.ts';

export class WindowRecogniser {
  readonly #options: WindowRecogniserOptions;
  readonly #belief: LanguageBelief;
  readonly #promptContext = new PromptContext();
  readonly #runUps: RunUps | undefined;
  readonly #committed = new Set<Work>();
  readonly #speculative = new Map<string, Work>();
  #last: Work | undefined;
  /** Set while the first window is being recognised; resolves when that ends. */
  #first: Deferred<void> | undefined;
  #pendingSamples = 0;
  #heldBackSamples = 0;
  #answered = false;
  #over = false;

  constructor(options: WindowRecogniserOptions) {
    this.#options = options;
    this.#belief = new LanguageBelief(options.template.languages);
    if (options.context === 'utterances') this.#runUps = new RunUps();
  }

  /** Samples of committed windows that are not recognised yet. */
  get pendingSamples(): number {
    return this.#pendingSamples;
  }

  /** Samples of windows that are not scheduled yet because they wait for the first one. */
  get heldBackSamples(): number {
    return this.#heldBackSamples;
  }

  /** Recognises a window that no longer changes. Reuses a speculative or earlier recognition of the same audio. */
  commit(
    window: Window,
    urgency: Urgency,
    { draft, earlier = [] }: { readonly draft?: string; readonly earlier?: readonly WindowWork[] } = {},
  ): WindowWork {
    const key = windowKey(window);
    const known =
      this.#speculative.get(key) ?? earlier.find((work) => work.recognised && windowKey(work.window) === key);
    this.#speculative.delete(key);
    const reused = known as Work | undefined;
    const work =
      reused && reused.state !== 'failed' ? reused : this.#begin(window, { state: 'committed', urgency, draft });
    work.state = 'committed';
    this.#runUps?.add(audioOf(window, readWindow(window, this.#options.buffer)), work.result);
    if (work.recognised) {
      this.#last = work;
      return work;
    }
    work.previous = this.#last;
    this.#last = work;
    this.#pendingSamples += windowSamples(window);
    this.#committed.add(work);
    this.#setUrgency(work, urgency);
    return work;
  }

  /** Recognises the likely tail speculatively. Drops speculative windows that are not part of it. */
  speculate(windows: readonly Window[], draft?: string): readonly WindowWork[] {
    this.keepOnly(windows);
    return windows.map((window) => {
      const key = windowKey(window);
      const work =
        this.#speculative.get(key) ?? this.#begin(window, { state: 'speculative', urgency: 'speculative', draft });
      this.#speculative.set(key, work);
      return work;
    });
  }

  /** The speculative work on exactly this audio. */
  speculated(window: Window): WindowWork | undefined {
    return this.#speculative.get(windowKey(window));
  }

  /** Whether all of these windows are speculative, recognised or in progress. */
  isSpeculating(windows: readonly Window[]): boolean {
    return windows.every((window) => this.#speculative.get(windowKey(window))?.state === 'speculative');
  }

  /** Drops the speculative windows that are not among these. */
  keepOnly(windows: readonly Window[]): void {
    if (this.#speculative.size === 0) return;
    const keys = new Set(windows.map(windowKey));
    for (const [key, work] of this.#speculative) {
      if (keys.has(key)) continue;
      this.#speculative.delete(key);
      work.state = 'dropped';
      for (const ticket of work.tickets) ticket.cancel();
    }
  }

  /** Raises the urgency of committed work, because a caller now waits for the answer. */
  expedite(): void {
    for (const work of this.#committed) this.#setUrgency(work, 'final');
  }

  /** Stops all work. */
  cancel(): void {
    this.#over = true;
    for (const { tickets } of [...this.#committed, ...this.#speculative.values()]) {
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

  #begin(window: Window, options: Pick<Work, 'state' | 'urgency' | 'draft'>): Work {
    const work: Work = {
      window,
      ...options,
      tickets: new Set(),
      previous: this.#last,
      answered: false,
      recognised: undefined,
      result: Promise.resolve([]),
    };
    work.result = this.#recognise(work, readWindow(window, this.#options.buffer));
    // Avoids an unhandled rejection: the policy handles failed committed work, and failed speculation does not matter.
    work.result.catch(() => undefined);
    return work;
  }

  async #recognise(work: Work, samples: Float32Array): Promise<readonly RecognisedWindow[]> {
    const began = work.state;
    let recognised: readonly RecognisedWindow[];
    try {
      recognised = await this.#read(work, samples);
    } catch (failure) {
      if (this.#over || failure instanceof Cancelled) throw failure;
      // A speculative window that was committed in the meantime is tried once more.
      if (began === 'speculative' && work.state === 'committed') return this.#recognise(work, samples);
      if (work.state === 'speculative') work.state = 'failed';
      throw failure;
    }
    work.recognised = recognised;
    work.previous = undefined;
    if (this.#committed.delete(work) && !this.#over) this.#pendingSamples -= windowSamples(work.window);
    return recognised;
  }

  #read(work: Work, samples: Float32Array): Promise<RecognisedWindow[]> {
    const whole = audioOf(work.window, samples);
    // With captions, the final must not wait for a long reading.
    let runUp = this.#runUps?.before(whole, this.#options.template.isCaptioned ? 'short' : 'any') ?? null;
    return recogniseWindow(work.window, samples, this.#belief, (audio, attempt) => {
      // Only the first reading has the run-up: repeated readings, and parts of a window, do not.
      const once = runUp;
      runUp = null;
      return this.#submitAlong(work, audio, attempt, once);
    });
  }

  /** Reads the window with its run-up, and alone when that yields nothing certain. */
  async #submitAlong(
    work: Work,
    audio: WindowAudio,
    attempt: RecognitionAttempt,
    runUp: RunUp | null,
  ): Promise<Recognition> {
    // Ask for the assumed language only once, because each call counts as a window.
    let believed: string | null | undefined;
    const language = (): string | null => {
      if (believed === undefined) believed = attempt.language();
      return believed;
    };
    const found = runUp && (await this.#readAlong(work, audio, language, runUp));
    if (!found) return this.#submit(work, audio, { ...attempt, language });
    attempt.onResult(found);
    this.#promptContext.add(audio.endSample, found);
    return this.#options.template.wantWordTimes ? found : { ...found, words: [] };
  }

  /** The window's part of a reading with a run-up; null when nothing certain remains. */
  async #readAlong(
    work: Work,
    audio: WindowAudio,
    language: () => string | null,
    runUp: RunUp,
  ): Promise<Recognition | null> {
    const { samples, startSample, utteranceAt } = runUp;
    const pauses = [utteranceAt, ...audio.pauses.map((pause) => pause + utteranceAt)];
    const together = { ...audio, samples, startSample, pauses };
    const recognition = await this.#submit(work, together, { language, onResult: () => undefined }, runUp);
    await runUp.recognised;
    return withoutRunUp(recognition, runUp);
  }

  /** Speculative windows neither wait for the first window nor delay others: a busy server may never recognise them. */
  async #submit(work: Work, audio: WindowAudio, attempt: RecognitionAttempt, runUp?: RunUp): Promise<Recognition> {
    const isAlone = this.#options.context === 'utterances' || this.#belief.isCertain;
    if (isAlone) return this.#schedule(work, audio, attempt, runUp);
    this.#heldBackSamples += audio.samples.length;
    while (this.#first && work.state === 'committed') await this.#first.promise;
    this.#heldBackSamples -= audio.samples.length;
    if (this.#over || work.state === 'dropped') throw new Cancelled();
    if (this.#answered || work.state !== 'committed') return this.#schedule(work, audio, attempt);
    const first = deferred<void>();
    this.#first = first;
    try {
      return await this.#schedule(work, audio, attempt);
    } finally {
      this.#first = undefined;
      first.resolve();
    }
  }

  async #schedule(
    work: Work,
    { samples, pauses, startSample, endSample }: WindowAudio,
    { language, onResult }: RecognitionAttempt,
    runUp?: RunUp,
  ): Promise<Recognition> {
    const { scheduler, accountId, isBackground, isLive = false, template, context } = this.#options;
    const ticket = scheduler.submit({
      accountId,
      requestId: template.requestId,
      urgency: isBackground ? 'background' : work.urgency,
      tier: template.tier,
      isLive,
      audioSamples: samples.length,
      position: startSample,
      window: () => ({
        ...template,
        samples,
        pausePositions: pauses,
        precedingText: this.#promptContext.before(startSample),
        language: language(),
        ...(work.draft !== undefined && { draft: runUp ? draftAlong(runUp, work.draft) : work.draft }),
        ...(runUp && { wantWordTimes: true }),
        ...(this.#options.isShortOfTime?.() && { isInterim: true }),
      }),
      onResult: (recognition) => {
        this.#answered = true;
        work.answered = true;
        onResult(recognition);
        if (!runUp) this.#promptContext.add(endSample, recognition);
      },
      // A window that is recognised again takes longest, so it goes early: started last, it would delay the answer.
      hasContext: () => context === 'utterances' || work.answered || (work.previous?.answered ?? true),
    });
    work.tickets.add(ticket);
    try {
      return await ticket.result;
    } finally {
      work.tickets.delete(ticket);
    }
  }
}
