// Recognises whole utterances: ahead of time while the silence behind one lasts, and for certain when it has ended.
import type { RecogniseJob, Recognition } from '../../speech/recogniser.ts';
import { LanguageBelief } from '../language/belief.ts';
import { type Window, windowKey } from '../planning/window.ts';
import type { RecognisedWindow } from '../recognition/assemble.ts';
import { PromptContext } from '../recognition/prompt-context.ts';
import {
  audioOf,
  type RecognitionAttempt,
  recogniseWindow,
  type WindowAudio,
} from '../recognition/recognise-window.ts';
import { readWindow, type SampleBuffer } from '../recognition/sample-buffer.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { Ticket, Urgency } from '../scheduling/task.ts';
import { type RunUp, RunUps, withoutRunUp } from './run-up.ts';

/** Everything of a job but what differs from window to window. */
export type JobTemplate = Pick<
  RecogniseJob,
  'requestId' | 'tier' | 'languageHint' | 'recentLanguages' | 'vocabulary' | 'wantWordTimes' | 'isCaptioned'
>;

export interface UtteranceRecogniserOptions {
  readonly scheduler: Scheduler;
  readonly buffer: SampleBuffer;
  readonly accountId: string;
  readonly job: JobTemplate;
}

interface Work {
  readonly key: string;
  urgency: Urgency;
  readonly tickets: Set<Ticket>;
  result: Promise<RecognisedWindow[]>;
}

export class UtteranceRecogniser {
  readonly #options: UtteranceRecogniserOptions;
  readonly #belief = new LanguageBelief();
  readonly #promptContext = new PromptContext();
  readonly #runUps = new RunUps();
  readonly #settled = new Set<Work>();
  #speculative: Work | undefined;
  #pendingSamples = 0;

  constructor(options: UtteranceRecogniserOptions) {
    this.#options = options;
  }

  /** Audio of utterances that have ended and are not recognised yet. */
  get pendingSamples(): number {
    return this.#pendingSamples;
  }

  /** Recognises an utterance as if it had ended; undefined when that is under way or done. `draft`: what it seems to say. */
  speculate(window: Window, draft: string): Promise<RecognisedWindow[]> | undefined {
    if (this.#speculative?.key === windowKey(window)) return undefined;
    this.#dropSpeculative();
    this.#speculative = this.#begin(window, 'speculative', draft);
    return this.#speculative.result;
  }

  /** The utterance has ended. What was recognised ahead of time is used if it is the same audio. */
  settle(window: Window, draft: string): Promise<RecognisedWindow[]> {
    const samples = readWindow(window, this.#options.buffer);
    const recognised = this.#settle(window, draft, samples);
    this.#runUps.add(audioOf(window, samples), recognised);
    return recognised;
  }

  cancel(): void {
    this.#dropSpeculative();
    for (const { tickets } of this.#settled) for (const ticket of tickets) ticket.cancel();
  }

  async #settle(window: Window, draft: string, audio: Float32Array): Promise<RecognisedWindow[]> {
    const speculated = this.#speculative?.key === windowKey(window) ? this.#speculative : undefined;
    if (speculated) this.#speculative = undefined;
    else this.#dropSpeculative();
    this.#pendingSamples += audio.length;
    const work = speculated ?? this.#begin(window, 'final', draft, audio);
    this.#settled.add(work);
    this.#expedite(work);
    try {
      return await work.result;
    } catch (failure) {
      if (!speculated) throw failure;
      // What failed ahead of time gets a try of its own.
      const again = this.#begin(window, 'final', draft, audio);
      this.#settled.add(again);
      return await again.result.finally(() => this.#settled.delete(again));
    } finally {
      this.#settled.delete(work);
      this.#pendingSamples -= audio.length;
    }
  }

  #dropSpeculative(): void {
    for (const ticket of this.#speculative?.tickets ?? []) ticket.cancel();
    this.#speculative = undefined;
  }

  #expedite(work: Work): void {
    work.urgency = 'final';
    for (const ticket of work.tickets) ticket.setUrgency('final');
  }

  #begin(window: Window, urgency: Urgency, draft: string, audio = readWindow(window, this.#options.buffer)): Work {
    const work: Work = { key: windowKey(window), urgency, tickets: new Set(), result: Promise.resolve([]) };
    let runUp = this.#runUps.before(audioOf(window, audio));
    work.result = recogniseWindow(window, audio, this.#belief, (part, attempt) => {
      // Doubtful utterances, and parts of one, are read by themselves.
      const along = runUp;
      runUp = null;
      return along === null
        ? this.#submit(work, part, attempt, { draft })
        : this.#submitAlong(work, part, attempt, draft, along);
    });
    // Whoever settles the utterance looks at the failure.
    work.result.catch(() => undefined);
    return work;
  }

  /** With a run-up, and by itself where that comes to nothing. */
  async #submitAlong(
    work: Work,
    audio: WindowAudio,
    attempt: RecognitionAttempt,
    draft: string,
    runUp: RunUp,
  ): Promise<Recognition> {
    const { samples, startSample, utteranceAt } = runUp;
    // The language believed is asked for once: each time counts as a window.
    let believed: string | null | undefined;
    const language = (): string | null => {
      if (believed === undefined) believed = attempt.language();
      return believed;
    };
    const pauses = [utteranceAt, ...audio.pauses.map((pause) => pause + utteranceAt)];
    const together = { ...audio, samples, startSample, pauses };
    const recognition = await this.#submit(work, together, { language, onResult: () => undefined }, { runUp, draft });
    await runUp.recognised;
    const found = withoutRunUp(recognition, runUp);
    if (found === null) return this.#submit(work, audio, { ...attempt, language }, { draft });
    attempt.onResult(found);
    this.#promptContext.add(audio.endSample, found);
    return this.#options.job.wantWordTimes ? found : { ...found, words: [] };
  }

  async #submit(
    work: Work,
    audio: WindowAudio,
    { language, onResult }: RecognitionAttempt,
    { draft, runUp }: { readonly draft: string; readonly runUp?: RunUp },
  ): Promise<Recognition> {
    const { scheduler, accountId, job } = this.#options;
    const ticket = scheduler.submit({
      accountId,
      requestId: job.requestId,
      urgency: work.urgency,
      tier: job.tier,
      audioSamples: audio.samples.length,
      position: audio.startSample,
      job: () => ({
        ...job,
        samples: audio.samples,
        pausePositions: audio.pauses,
        precedingText: this.#promptContext.before(audio.startSample),
        language: language(),
        ...(runUp === undefined ? { draft } : { draft: draftAlong(runUp, draft), wantWordTimes: true }),
      }),
      onResult: (recognition) => {
        onResult(recognition);
        if (runUp === undefined) this.#promptContext.add(audio.endSample, recognition);
      },
    });
    work.tickets.add(ticket);
    try {
      return await ticket.result;
    } finally {
      work.tickets.delete(ticket);
    }
  }
}

/** What all of it seems to say; nothing while the beginning is not known. */
const draftAlong = ({ known }: RunUp, draft: string): string => {
  const before = known();
  if (before === null) return '';
  const words = before.flatMap((told) => told.words.map(({ text }) => text));
  return [...words, draft].join(' ').trim();
};
