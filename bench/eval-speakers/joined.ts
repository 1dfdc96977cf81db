// Joins analysed recordings into one long meeting without running the models again. Equal speaker names are one person.
import { consensusFrom, type SpeakerAnalysis } from '@faircopy/server/speakers';
import type { Turn } from './rttm.ts';

export interface Analysed {
  readonly analysis: SpeakerAnalysis;
  readonly turns: readonly Turn[];
}

const SECONDS_PER_FRAME = 270 / 16_000;

/** Repeats the recordings until they fill this many hours. */
export const joined = (recordings: readonly Analysed[], hours: number): Analysed => {
  const order: Analysed[] = [];
  for (let seconds = 0, next = 0; seconds < hours * 3_600; next++) {
    const recording = recordings[next % recordings.length]!;
    order.push(recording);
    seconds += recording.analysis.audioSeconds;
  }
  const consensuses = order.map(({ analysis }) => consensusFrom(analysis.windows, analysis.consensus));
  const offsets: number[] = [];
  let frames = 0;
  for (const { speakers } of consensuses) {
    offsets.push(frames);
    frames += speakers.length;
  }
  const join = (part: 'speakers' | 'change'): Float32Array => {
    const all = new Float32Array(frames);
    consensuses.forEach((consensus, index) => {
      all.set(consensus[part], offsets[index]!);
    });
    return all;
  };
  const sum = (pick: (analysis: SpeakerAnalysis) => number): number =>
    order.reduce((total, { analysis }) => total + pick(analysis), 0);
  return {
    turns: order.flatMap(({ turns }, index) => {
      const shift = offsets[index]! * SECONDS_PER_FRAME;
      return turns.map((turn) => ({ ...turn, start: turn.start + shift, end: turn.end + shift }));
    }),
    analysis: {
      audioSeconds: frames * SECONDS_PER_FRAME,
      windows: order.flatMap(({ analysis }, index) =>
        analysis.windows.map((window) => ({ ...window, firstFrame: window.firstFrame + offsets[index]! })),
      ),
      atoms: order.flatMap(({ analysis }, index) =>
        analysis.atoms.map((atom) => ({
          ...atom,
          fromFrame: atom.fromFrame + offsets[index]!,
          toFrame: atom.toFrame + offsets[index]!,
          spans: atom.spans.map((frame) => frame + offsets[index]!),
        })),
      ),
      consensus: {
        fromFrame: 0,
        speakers: join('speakers'),
        change: join('change'),
      },
      band: { low: sum(({ band }) => band.low), high: sum(({ band }) => band.high) },
      stop: order[0]!.analysis.stop,
    },
  };
};
