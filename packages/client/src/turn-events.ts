// Turn events of streams with the `turns` option.
import type { TurnMessage } from '@faircopy/contract';

/**
 * started: the first words arrived. updated: more words. probably_ended: prepare the answer. resumed: the turn had not
 * ended after all. ended: answer now.
 */
export interface TurnEvent {
  readonly event: TurnMessage['event'];
  /** Counts the turns of the stream from 0. */
  readonly index: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** The turn so far, or the whole turn once it has ended. */
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
