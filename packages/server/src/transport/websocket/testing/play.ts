// Plays scripted events through the state machine of a stream, for its tests.
import { nextTickAtMs, openConnection, step } from '../connection-state.ts';
import type { ConnectionEvent, ConnectionSettings, ConnectionState, Effect, TimedEvent } from '../connection-types.ts';

/** Settings of the connection and the format of its audio. */
export interface Conditions extends ConnectionSettings {
  readonly sampleRateHz: number;
  readonly channels: number;
}
export const settings: Conditions = {
  firstFrameTimeoutMs: 10_000,
  idleTimeoutMs: 60_000,
  finalizeTimeoutMs: 60_000,
  drainTimeoutMs: 60_000,
  maxStreamSeconds: 600,
  pingIntervalMs: 20_000,
  sampleRateHz: 16_000,
  channels: 1,
};
export const SECOND = 32_000;
export const AUDIO = Buffer.alloc(600 * SECOND);

export type ScriptedEvent =
  | Exclude<ConnectionEvent, { type: 'audio' }>
  | { readonly type: 'audio'; readonly bytes: number };
export type Scripted = ScriptedEvent & { readonly atMs: number; readonly isAnswered?: boolean };

export interface Transition {
  readonly event: TimedEvent;
  readonly before: ConnectionState;
  readonly after: ConnectionState;
  readonly effects: readonly Effect[];
}

/** Plays events at their times, with ticks when they are due. Counts accepted audio as a protocol does. */
export const play = (script: readonly Scripted[], under = settings): Transition[] => {
  const transitions: Transition[] = [];
  let state = openConnection(under, 0);
  let acceptedBytes = 0;
  const secondsOf = (bytes: number) => Math.floor(bytes / (2 * under.channels)) / under.sampleRateHz;
  const apply = (scripted: Scripted) => {
    const progress = { audioSeconds: secondsOf(acceptedBytes), isAnswered: false };
    const event: TimedEvent =
      scripted.type === 'audio'
        ? {
            ...progress,
            ...scripted,
            audio: AUDIO.subarray(0, scripted.bytes),
            audioSeconds: secondsOf(acceptedBytes + scripted.bytes),
          }
        : { ...progress, ...scripted };
    const before = state;
    const next = step(state, event, under);
    state = next.state;
    for (const effect of next.effects) if (effect.type === 'transcribe_audio') acceptedBytes += effect.audio.length;
    transitions.push({ event, before, after: state, effects: next.effects });
  };
  for (const scripted of script) {
    for (let due = nextTickAtMs(state); due !== null && due < scripted.atMs; due = nextTickAtMs(state)) {
      apply({ type: 'tick', atMs: due });
    }
    apply(scripted);
  }
  return transitions;
};
export const effectsOf = (transitions: readonly Transition[]): Effect[] =>
  transitions.flatMap((transition) => transition.effects);
export const typesOf = (transitions: readonly Transition[]): string[] =>
  effectsOf(transitions).map((effect) => effect.type);
export const only = <T extends Effect['type']>(transitions: readonly Transition[], type: T) =>
  effectsOf(transitions).filter((effect): effect is Extract<Effect, { type: T }> => effect.type === type);
export const closeOf = (transitions: readonly Transition[]) => only(transitions, 'close')[0];
export const recordOf = (transitions: readonly Transition[]) => only(transitions, 'record')[0];
