// Messages between the event loop and the thread that clusters.
import type { Diarization, SpeakerAnalysis } from '../diarize.ts';
import type { LiveUpdate, UtteranceAnalysis } from '../live-speakers.ts';
import type { SpeakerCount } from '../types.ts';

export type ClusteringTask =
  | { readonly kind: 'recording'; readonly analysis: SpeakerAnalysis; readonly limits: SpeakerCount }
  | {
      readonly kind: 'utterance';
      readonly stream: number;
      readonly analysis: UtteranceAnalysis;
      readonly limits: SpeakerCount;
    };

export type ToClusteringThread =
  | { readonly kind: 'run'; readonly id: number; readonly task: ClusteringTask }
  /** The stream is over: its state is dropped. */
  | { readonly kind: 'forget'; readonly stream: number };

export type FromClusteringThread =
  | { readonly id: number; readonly result: Diarization | LiveUpdate }
  /** Where it failed; nothing of a voice. */
  | { readonly id: number; readonly failed: string };
