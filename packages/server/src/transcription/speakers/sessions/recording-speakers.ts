// Finds the speakers of a recording: analyses audio while it arrives, and clusters at the end.
import type { SpeakerFeatures } from '../../../speech/speakers/speaker-features.ts';
import { SpeakerAnalyser } from '../analysis/analyser.ts';
import { VoicedSpans } from '../analysis/voiced-spans.ts';
import type { SpeakerCount } from '../types.ts';
import { areTwoPeople, channelSpeech } from './channel-speech.ts';
import type { Clustering } from './clustering.ts';
import type { FoundSpeech } from './transcript-speakers.ts';

export interface RecordingSpeakersOptions {
  readonly features: Promise<SpeakerFeatures>;
  readonly clustering: Clustering;
  readonly limits: SpeakerCount;
  /** Called when audio was analysed, so that there may be room for more. */
  readonly onProgress: () => void;
}

export class RecordingSpeakers {
  readonly #options: RecordingSpeakersOptions;
  readonly #voiced = new VoicedSpans();
  #analyser: SpeakerAnalyser | undefined;
  #pending: { readonly samples: Float32Array; readonly probabilities: Float32Array }[] = [];
  #pendingSamples = 0;
  #work: Promise<void> | undefined;
  #failure: unknown;
  #channelActivity: Uint8Array | undefined;

  constructor(options: RecordingSpeakersOptions) {
    this.#options = options;
  }

  /** Samples that wait for the models. */
  get pendingSamples(): number {
    return this.#pendingSamples;
  }

  /** Adds samples, and the speech probabilities of the frames that they complete. */
  push(samples: Float32Array, probabilities: Float32Array): void {
    if (this.#failure !== undefined) return;
    this.#pending.push({ samples, probabilities });
    this.#pendingSamples += samples.length;
    this.#work ??= this.#analyse();
  }

  /** Sets which of two channels was heard when. If they hold different people, voices are not clustered. */
  hearChannels(activity: Uint8Array): void {
    const { count = 2, min = 2, max = 2 } = this.#options.limits;
    if (count === 2 && min <= 2 && max >= 2 && areTwoPeople(activity)) this.#channelActivity = activity;
  }

  /** Must be called after everything has been pushed. */
  async finish(): Promise<FoundSpeech> {
    while (this.#work) await this.#work;
    if (this.#failure !== undefined) throw this.#failure;
    const { clustering, limits, features } = this.#options;
    const analyser = this.#analyser ?? new SpeakerAnalyser(await features);
    const analysis = await analyser.end();
    if (this.#channelActivity) return channelSpeech(this.#channelActivity, analysis);
    return clustering.diarize(analysis, limits);
  }

  async #analyse(): Promise<void> {
    try {
      const features = await this.#options.features;
      this.#analyser ??= new SpeakerAnalyser(features);
      for (let next = this.#pending.shift(); next; next = this.#pending.shift()) {
        for (const span of this.#voiced.push(next.probabilities))
          if (!features.hasSegmentation) this.#analyser.addSpeech(span.startSeconds, span.endSeconds);
        await this.#analyser.push(next.samples);
        this.#pendingSamples -= next.samples.length;
        this.#options.onProgress();
      }
    } catch (failure) {
      this.#failure = failure ?? new Error('speaker analysis failed');
      this.#pending = [];
      this.#pendingSamples = 0;
      this.#options.onProgress();
    } finally {
      this.#work = undefined;
    }
  }
}
