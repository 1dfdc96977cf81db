// A call that nobody waits for: its file is read from where it is kept, and whoever runs it writes its row.
import { billedSeconds } from '@faircopy/contract';
import type { LiveDecoder } from '../audio/upload-decoding.ts';
import type { UsageEntry } from '../usage/meter.ts';
import type { Call, TranscriptionOptions } from './call.ts';
import type { TranscribedAudio } from './success-response.ts';

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
    const session = this.#call.openSession(options);
    const decoder = this.#openDecoder();
    let state: 'running' | 'over' = 'running';
    const release = () => {
      state = 'over';
      decoder.abort();
      session.cancel();
    };
    signal.addEventListener('abort', release, { once: true });
    const feed = async () => {
      for await (const part of parts) {
        if (state === 'over') return;
        await decoder.write(part);
      }
      decoder.end();
    };
    const deliver = async () => {
      for await (const samples of decoder) await session.write(samples);
    };
    try {
      const delivered = deliver();
      // What goes wrong with the decoder is what reading it fails with.
      await Promise.all([Promise.race([feed(), delivered]), delivered]);
      this.#audioSeconds = decoder.durationSeconds;
      const transcript = await session.finish();
      return { transcript, audioSeconds: this.#audioSeconds };
    } catch (thrown) {
      release();
      throw signal.aborted ? signal.reason : thrown;
    } finally {
      signal.removeEventListener('abort', release);
    }
  }

  successEntry({ transcript, audioSeconds }: TranscribedAudio): UsageEntry {
    return this.#call.entryOf({
      ...{ status: 'success', audioSeconds, transcript },
      billedSeconds: billedSeconds(audioSeconds),
    });
  }

  failureEntry(status: UsageEntry['status']): UsageEntry {
    return this.#call.entryOf({ status, audioSeconds: this.#audioSeconds, billedSeconds: 0 });
  }

  /** To be called once the row is durable. */
  count(entry: UsageEntry): void {
    this.#call.count(entry);
  }
}
