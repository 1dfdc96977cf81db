// The port of a live session: samples go in, and while people speak it tells what they say, utterance by utterance.
import type { RecognisedWord } from '../../speech/recogniser.ts';
import type { SessionRequest, Transcriber, Transcript } from '../transcriber.ts';

export interface LiveRequest extends Omit<SessionRequest, 'mode'> {
  /** Silence that ends an utterance; null when pauses are not to count as endpoints. */
  readonly endpointingMs: number | null;
  /** Interim text costs work, so it has to be asked for. */
  readonly wantInterims: boolean;
}

/** What is known of the open utterance; the next interim or final replaces it. */
export interface LiveInterim {
  /** Where the final before it ended. */
  readonly startMs: number;
  readonly endMs: number;
  readonly words: readonly RecognisedWord[];
  /** How many words, from the first on, later interims of this utterance keep. */
  readonly committed: number;
  readonly language: string | null;
}

export type UtteranceTranscript = Pick<
  Transcript,
  'text' | 'rawText' | 'segments' | 'words' | 'edits' | 'detectedLanguage' | 'outputTokenCount'
>;

/** A stretch of the stream whose text never changes again. Each begins where the one before it ended. */
export interface LiveFinal {
  readonly startMs: number;
  readonly endMs: number;
  /** endpoint: a silence. length: it went on for long. flush: it was asked for. end: the stream ended. */
  readonly endedBy: 'endpoint' | 'length' | 'flush' | 'end';
  readonly transcript: UtteranceTranscript;
}

export interface LiveListener {
  speechStarted(atMs: number): void;
  /** Told when the silence after it was long enough; the time is that of the last voice. */
  speechEnded(atMs: number): void;
  /** Everything up to here has been judged, and nobody speaks. */
  silence(untilMs: number): void;
  interim(interim: LiveInterim): void;
  final(final: LiveFinal): void;
}

/** What a usage row holds of a live stream. */
export type LiveSummary = Pick<
  Transcript,
  'detectedLanguage' | 'outputTokenCount' | 'recognitionMs' | 'refinementMs' | 'refinementFallback'
>;

/** A transcriber that can also tell of a stream while it goes on. */
export interface LiveTranscriber extends Transcriber {
  openLive(request: LiveRequest, listener: LiveListener): LiveSession;
}

export interface LiveSession {
  /** Resolves when more samples may be written. Rejects with the Fault that ended the session. */
  write(samples: Float32Array): Promise<void>;
  /** Ends the open utterance here. Resolves when its final has been told; there always is one, if only an empty one. */
  flush(): Promise<void>;
  /** The end marker. Resolves when the last final, which reaches to the end of the audio, has been told. */
  finish(): Promise<LiveSummary>;
  /** Stops all work; nothing more is told. Safe at any time. */
  cancel(): void;
}
