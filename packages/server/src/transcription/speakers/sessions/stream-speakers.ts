// Finds the speakers of a live stream: labels each utterance when it ends, and may relabel it for ten seconds.
import type { SpeakerFeatures } from '../../../speech/speakers/speaker-features.ts';
import { LiveAnalyser } from '../analysis/live-analyser.ts';
import type { LiveUpdate } from '../live-speakers.ts';
import type { LiveClustering } from './clustering.ts';

/** Utterances that may wait for the models; further ones get no speakers. */
const WAITING_MAX = 64;
/** Maximum time that a final waits for its speakers. */
const WAIT_MS_MAX = 5_000;

export interface StreamSpeakersOptions {
  readonly features: Promise<SpeakerFeatures>;
  readonly clustering: LiveClustering;
  readonly onFailure: (failure: unknown) => void;
}

export class StreamSpeakers {
  readonly #options: StreamSpeakersOptions;
  readonly #analyser: LiveAnalyser;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** lost: the models or the thread failed, and the stream continues without speakers. */
  #state: 'open' | 'lost' | 'closed' = 'open';

  constructor(options: StreamSpeakersOptions) {
    this.#options = options;
    this.#analyser = new LiveAnalyser(options.features);
  }

  push(samples: Float32Array): void {
    if (this.#state === 'open') this.#analyser.push(samples);
  }

  /** Finds the speakers of the utterance that has just ended; null when they are not known in time. */
  async utterance(startMs: number, endMs: number): Promise<LiveUpdate | null> {
    if (this.#state !== 'open' || this.#waiting >= WAITING_MAX) return null;
    this.#waiting += 1;
    const update = this.#last.then(() => this.#update(startMs / 1000, endMs / 1000));
    this.#last = update;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), WAIT_MS_MAX);
    });
    try {
      return await Promise.race([update, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#options.clustering.close();
  }

  async #update(startSeconds: number, endSeconds: number): Promise<LiveUpdate | null> {
    try {
      if (this.#state !== 'open') return null;
      return await this.#options.clustering.add(await this.#analyser.analyse(startSeconds, endSeconds));
    } catch (failure) {
      if (this.#state === 'open') {
        this.#state = 'lost';
        this.#options.onFailure(failure);
      }
      return null;
    } finally {
      this.#waiting -= 1;
    }
  }
}
