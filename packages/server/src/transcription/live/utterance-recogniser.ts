// Recognises whole utterances: ahead of time while the silence behind one lasts, and for certain when it has ended.
import type { RecogniseJob, Recognition } from '../../speech/recogniser.ts';
import { LanguageBelief } from '../language/belief.ts';
import { type Window, windowKey, windowSamples } from '../planning/window.ts';
import type { RecognisedWindow } from '../recognition/assemble.ts';
import { PromptContext } from '../recognition/prompt-context.ts';
import { type RecognitionAttempt, recogniseWindow, type WindowAudio } from '../recognition/recognise-window.ts';
import { readWindow, type SampleBuffer } from '../recognition/sample-buffer.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { Ticket, Urgency } from '../scheduling/task.ts';

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
  async settle(window: Window, draft: string): Promise<RecognisedWindow[]> {
    const speculated = this.#speculative?.key === windowKey(window) ? this.#speculative : undefined;
    if (speculated) this.#speculative = undefined;
    else this.#dropSpeculative();
    const samples = windowSamples(window);
    this.#pendingSamples += samples;
    const audio = readWindow(window, this.#options.buffer);
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
      this.#pendingSamples -= samples;
    }
  }

  cancel(): void {
    this.#dropSpeculative();
    for (const { tickets } of this.#settled) for (const ticket of tickets) ticket.cancel();
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
    work.result = recogniseWindow(window, audio, this.#belief, (part, attempt) =>
      this.#submit(work, part, attempt, draft),
    );
    // Whoever settles the utterance looks at the failure.
    work.result.catch(() => undefined);
    return work;
  }

  async #submit(
    work: Work,
    audio: WindowAudio,
    { language, onResult }: RecognitionAttempt,
    draft: string,
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
        draft,
      }),
      onResult: (recognition) => {
        onResult(recognition);
        this.#promptContext.add(audio.endSample, recognition);
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
