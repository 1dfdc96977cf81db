// The call of a job: reads its file from storage. The job runner writes the row.
import type { LiveDecoder } from '../../audio/upload-decoding.ts';
import { TranscriptCollector } from '../../transcription/transcript-collector.ts';
import type { UsageEntry } from '../../usage/meter.ts';
import { AudioPump } from '../audio-pump.ts';
import type { Call, TranscriptionOptions } from '../call.ts';
import type { TranscribedAudio } from './upload.ts';

export interface JobAudio {
  readonly parts: AsyncIterable<Uint8Array>;
  readonly options: TranscriptionOptions;
  /** Ends all work; the promise rejects with its reason. */
  readonly signal: AbortSignal;
}

export class JobCall {
  readonly #call: Call;
  readonly #openDecoder: () => LiveDecoder;
  #audioSeconds = 0;

  constructor(call: Call, openDecoder: () => LiveDecoder) {
    this.#call = call;
    this.#openDecoder = openDecoder;
  }

  async transcribe({ parts, options, signal }: JobAudio): Promise<TranscribedAudio> {
    signal.throwIfAborted();
    this.#call.choose(options.model);
    const collector = new TranscriptCollector();
    const session = this.#call.openSession(options, (event) => collector.take(event));
    const pump = new AudioPump({ source: parts, decoder: this.#openDecoder(), session });
    const cancel = () => pump.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      await pump.finish();
      return { transcript: collector.transcript, audioSeconds: pump.audioSeconds };
    } catch (thrown) {
      pump.cancel();
      throw signal.aborted ? signal.reason : thrown;
    } finally {
      this.#audioSeconds = pump.audioSeconds;
      signal.removeEventListener('abort', cancel);
    }
  }

  successEntry({ transcript, audioSeconds }: TranscribedAudio): UsageEntry {
    return this.#call.entryOf({ status: 'success', audioSeconds, transcript });
  }

  failureEntry(status: UsageEntry['status']): UsageEntry {
    return this.#call.entryOf({ status, audioSeconds: this.#audioSeconds });
  }

  /** Call once the row is durable. */
  count(entry: UsageEntry): void {
    this.#call.count(entry);
  }
}
