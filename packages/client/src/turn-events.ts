// The turns of a stream that asked for them.
import type { TurnMessage } from '@faircopy/contract';

/**
 * started: its first words are there. updated: more words. probably_ended: prepare the answer. resumed: it had not ended.
 * ended: answer now.
 */
export interface TurnEvent {
  readonly event: TurnMessage['event'];
  /** Counts the turns of the stream from 0. */
  readonly index: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** The turn so far; once it has ended, all of it. */
  readonly transcript: string;
  readonly endProbability: number;
}

export const turnEventOf = (message: TurnMessage): TurnEvent => ({
  event: message.event,
  index: message.index,
  startSeconds: message.start_seconds,
  endSeconds: message.end_seconds,
  transcript: message.transcript,
  endProbability: message.end_probability,
});
