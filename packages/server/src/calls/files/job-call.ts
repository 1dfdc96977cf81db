// The call of a job: reads its file from storage. The job runner writes the usage row.
import type { LiveDecoder } from '../../audio/upload-decoding.ts';
import type { Transcript } from '../../transcription/transcriber.ts';
import { TranscriptCollector } from '../../transcription/transcript-collector.ts';
import type { UsageEntry } from '../../usage/meter.ts';
import { AudioPump } from '../audio-pump.ts';
import type { Call, TranscriptionOptions } from '../call.ts';
import type { SplitChannels } from '../speakers/split-channels.ts';
import { CHANNELS_MAX, mergeChannels } from './merge-channels.ts';
import type { TranscribedAudio } from './upload.ts';

export interface JobAudio {
  /** Reads the file from its start. */
  readonly read: () => AsyncIterable<Uint8Array>;
  readonly options: TranscriptionOptions;
  /** Transcribe each channel separately. */
  readonly split?: SplitChannels | undefined;
  /** Aborts all work; the promise rejects with its reason. */
  readonly signal: AbortSignal;
}

export class JobCall {
  readonly #call: Call;
  readonly #openDecoder: (channel?: number) => LiveDecoder;
  #audioSeconds = 0;

  /** `openDecoder` decodes all channels mixed, or one of them. */
  constructor(call: Call, openDecoder: (channel?: number) => LiveDecoder) {
    this.#call = call;
    this.#openDecoder = openDecoder;
  }

  async transcribe(audio: JobAudio): Promise<TranscribedAudio> {
    this.#call.choose(audio.options.model);
    this.#call.tag(audio.options.tags ?? []);
    return audio.split ? this.#transcribeSplit(audio, audio.split) : this.#pass(audio);
  }

  async #transcribeSplit(audio: JobAudio, { names }: SplitChannels): Promise<TranscribedAudio> {
    const each = { ...audio, options: { ...audio.options, wantWordTimes: true } };
    const transcripts: Transcript[] = [];
    let channels = 1;
    for (let channel = 0; channel < channels; channel++) {
      const { transcript, sourceChannels } = await this.#pass(each, channel);
      transcripts.push(transcript);
      channels = Math.min(CHANNELS_MAX, sourceChannels);
    }
    return { transcript: mergeChannels(transcripts, names), audioSeconds: this.#audioSeconds, channels };
  }

  async #pass({ read, options, signal }: JobAudio, channel?: number) {
    signal.throwIfAborted();
    const collector = new TranscriptCollector();
    const session = this.#call.openSession(options, (event) => collector.take(event));
    const decoder = this.#openDecoder(channel);
    const pump = new AudioPump({ source: read(), decoder, session });
    const cancel = () => pump.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      await pump.finish();
      const { sourceChannels } = decoder;
      return { transcript: collector.transcript, audioSeconds: pump.audioSeconds, sourceChannels };
    } catch (thrown) {
      pump.cancel();
      throw signal.aborted ? signal.reason : thrown;
    } finally {
      this.#audioSeconds = pump.audioSeconds;
      signal.removeEventListener('abort', cancel);
    }
  }

  successEntry({ transcript, audioSeconds, channels = 1 }: TranscribedAudio): UsageEntry {
    return this.#call.entryOf({ status: 'success', audioSeconds: audioSeconds * channels, transcript });
  }

  failureEntry(status: UsageEntry['status']): UsageEntry {
    return this.#call.entryOf({ status, audioSeconds: this.#audioSeconds });
  }

  /** Call once the row is durable. */
  count(entry: UsageEntry): void {
    this.#call.count(entry);
  }
}
