// Opens speaker analysis for sessions. Uses no resources until then.
import { Fault } from '../../../lib/fault.ts';
import type { SpeakerSource } from '../../../speech/speakers/speaker-features.ts';
import type { SpeakerNames } from '../speaker-names.ts';
import type { SpeakerCount } from '../types.ts';
import { Clustering } from './clustering.ts';
import { RecordingSpeakers } from './recording-speakers.ts';
import { StreamSpeakers } from './stream-speakers.ts';

/** What a session is asked to find out about speakers. */
export interface SpeakerOptions extends SpeakerCount {
  /** Names for the speakers found. Default: they are only numbered. A rejection ends the session. */
  readonly names?: SpeakerNames | Promise<SpeakerNames> | undefined;
}

export interface SpeakerOwner {
  /** Owners take turns. */
  readonly owner: string;
  /** Stops all work when aborted. */
  readonly signal: AbortSignal;
}

/** Drops `names`: functions cannot be sent to the thread. */
const limitsOf = ({ count, min, max }: SpeakerCount): SpeakerCount => ({ count, min, max });

export class Speakers {
  readonly #source: SpeakerSource | undefined;
  readonly #clustering = new Clustering();

  constructor(source: SpeakerSource | undefined) {
    this.#source = source;
  }

  openRecording(asked: SpeakerCount, owner: SpeakerOwner, onProgress: () => void): RecordingSpeakers {
    const features = this.#features(owner);
    return new RecordingSpeakers({ features, clustering: this.#clustering, limits: limitsOf(asked), onProgress });
  }

  openStream(asked: SpeakerCount, owner: SpeakerOwner, onFailure: (failure: unknown) => void): StreamSpeakers {
    const features = this.#features(owner);
    return new StreamSpeakers({ features, clustering: this.#clustering.openLive(limitsOf(asked)), onFailure });
  }

  close(): Promise<void> {
    return this.#clustering.close();
  }

  #features({ owner, signal }: SpeakerOwner) {
    const source = this.#source;
    if (!source) throw new Fault('SERVICE_UNAVAILABLE', { message: 'This server has no speaker models.' });
    const features = source.open(owner, signal);
    // Avoids an unhandled rejection; callers that await the features still get the failure.
    features.catch(() => undefined);
    return features;
  }
}
