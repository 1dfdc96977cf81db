// Finds who spoke when, from atoms of speech. Pure, deterministic, and near-linear in the length of the recording.
import { type BandEnergy, isNarrowBand } from '../../speech/speakers/bandwidth.ts';
import { frameStartSeconds } from '../../speech/speakers/frames.ts';
import { secondsOf } from './analysis/atoms.ts';
import { type Consensus, type ConsensusSource, consensusFrom } from './analysis/consensus.ts';
import { trackAgreement, type WindowShares, windowShares } from './analysis/tracks.ts';
import { assignAtoms } from './assign.ts';
import { type Item, joinAlike, similaritiesOf, speakersAmong } from './groups.ts';
import {
  CORE_SECONDS_MIN,
  type DiarizationParameters,
  PARAMETERS,
  type Stop,
  WEIGHT_SECONDS_MAX,
} from './parameters.ts';
import { turnsOf } from './turns.ts';
import type { ActivityWindow, DiarizedSpeaker, EmbeddedAtom, SpeakerCount, SpeakerTurn, SpokenSpan } from './types.ts';
import { dot } from './vectors.ts';

/** Everything that diarization needs to know about a recording. */
export interface SpeakerAnalysis {
  readonly audioSeconds: number;
  /** Empty without the segmentation model. */
  readonly windows: readonly ActivityWindow[];
  /** In order. */
  readonly atoms: readonly EmbeddedAtom[];
  /** Of the whole recording. */
  readonly consensus: Consensus | ConsensusSource;
  readonly band: BandEnergy;
  readonly stop: Stop;
}

export interface Diarization {
  /** Sorted by start. */
  readonly turns: readonly SpeakerTurn[];
  readonly speakers: readonly DiarizedSpeaker[];
  /** The atoms, in order. */
  readonly spans: readonly SpokenSpan[];
  /** Voices sound more alike on the telephone, so names need more similarity there. */
  readonly isNarrowBand: boolean;
}

/**
 * Atoms clustered at once, about four minutes of speech: clustering is quadratic within a block, and the threshold was
 * chosen on recordings not much shorter. In larger blocks, outliers of a voice merge with each other before they merge
 * with the voice.
 */
const BLOCK_ATOMS = 300;

export const diarize = (
  analysis: SpeakerAnalysis,
  limits: SpeakerCount = {},
  parameters: DiarizationParameters = PARAMETERS,
  blockAtoms = BLOCK_ATOMS,
): Diarization => {
  const { atoms, consensus, audioSeconds } = analysis;
  const windows = windowShares(analysis.windows, atoms);
  const stop = stopOf(analysis);
  const centroids = speakersOf(atoms, windows, stop, limits, parameters, blockAtoms);
  const assigned = assignAtoms(atoms, centroids, windows, parameters);
  const { labels, order } = byFirstHeard(assigned.labels);
  const seconds = new Float64Array(order.length);
  atoms.forEach((atom, index) => {
    seconds[labels[index]!]! += secondsOf(atom);
  });
  return {
    turns: turnsOf(atoms, labels, consensusFrom(analysis.windows, consensus), audioSeconds),
    speakers: order.map((before, speaker) => ({
      speaker,
      embedding: assigned.centroids[before]!,
      seconds: seconds[speaker]!,
    })),
    spans: atoms.map((atom, index) => spanOf(atom, labels[index]!, assigned.confidences[index]!)),
    isNarrowBand: isNarrowBand(analysis.band),
  };
};

export const spanOf = ({ fromFrame, toFrame }: EmbeddedAtom, speaker: number, confidence: number): SpokenSpan => ({
  startSeconds: frameStartSeconds(fromFrame),
  endSeconds: frameStartSeconds(toFrame),
  speaker,
  confidence,
});

export const stopOf = ({ band, stop }: { readonly band: BandEnergy; readonly stop: Stop }): number =>
  isNarrowBand(band) ? stop.narrow : stop.wide;

export const itemOf = (atom: EmbeddedAtom): Item => ({
  vector: atom.embedding,
  weight: Math.min(atom.pooledSeconds, WEIGHT_SECONDS_MAX),
  seconds: secondsOf(atom),
});

const speakersOf = (
  atoms: readonly EmbeddedAtom[],
  windows: readonly WindowShares[],
  stop: number,
  limits: SpeakerCount,
  parameters: DiarizationParameters,
  blockAtoms: number,
): Float32Array[] => {
  const core = coreOf(atoms);
  const itemsOf = (indices: readonly number[]): Item[] => indices.map((atom) => itemOf(atoms[atom]!));
  if (core.length <= blockAtoms) {
    const similarities = similaritiesOfAtoms(atoms, core, windows, parameters);
    return speakersAmong(itemsOf(core), similarities, stop, limits, parameters);
  }
  const blocks = Math.ceil(core.length / blockAtoms);
  const groups: Item[] = [];
  for (let block = 0; block < blocks; block++) {
    const from = Math.floor((core.length * block) / blocks);
    const indices = core.slice(from, Math.floor((core.length * (block + 1)) / blocks));
    groups.push(...joinAlike(itemsOf(indices), similaritiesOfAtoms(atoms, indices, windows, parameters), stop));
  }
  const voices = withoutOutliers(groups, stop, parameters);
  const items = voices.length < Math.max(limits.count ?? 0, limits.min ?? 0) ? groups : voices;
  return speakersAmong(items, similaritiesOf(items), stop, limits, parameters);
};

/**
 * A group with little speech in its block is usually an outlier of a voice, and in a long recording such outliers merge
 * with each other. It counts only if it clearly differs from all voices; its atoms go to the nearest speaker anyway.
 */
const withoutOutliers = (
  groups: readonly Item[],
  stop: number,
  { speakerSecondsMin, shortGroupMargin }: DiarizationParameters,
): readonly Item[] => {
  const large = groups.filter(({ seconds }) => seconds >= speakerSecondsMin);
  if (large.length === 0) return groups;
  const voices = joinAlike(large, similaritiesOf(large), stop);
  const isOutlier = ({ vector }: Item): boolean =>
    voices.some((voice) => dot(voice.vector, vector) >= stop - shortGroupMargin);
  return groups.filter((group) => group.seconds >= speakerSecondsMin || !isOutlier(group));
};

/** Similarities of the chosen atoms, with a bonus for common tracks. */
export const similaritiesOfAtoms = (
  atoms: readonly EmbeddedAtom[],
  chosen: readonly number[],
  windows: readonly WindowShares[],
  { trackBonus }: DiarizationParameters,
): Float32Array => {
  const place = new Int32Array(atoms.length).fill(-1);
  chosen.forEach((atom, item) => {
    place[atom] = item;
  });
  const items = chosen.map((atom) => itemOf(atoms[atom]!));
  return similaritiesOf(items, trackAgreement(windows, place, chosen.length), trackBonus);
};

/** Atoms with enough speech; if all are too short, the longest ones. */
export const coreOf = (atoms: readonly EmbeddedAtom[]): number[] => {
  const longest = atoms.reduce((most, { pooledSeconds }) => Math.max(most, pooledSeconds), 0);
  const least = Math.min(CORE_SECONDS_MIN, longest);
  return atoms.flatMap(({ pooledSeconds }, index) => (pooledSeconds >= least ? [index] : []));
};

/** Labels numbered in the order of first use, and the old number of each. */
const byFirstHeard = (before: Int32Array): { labels: Int32Array; order: number[] } => {
  const order: number[] = [];
  const labels = before.map((label) => {
    if (!order.includes(label)) order.push(label);
    return order.indexOf(label);
  });
  return { labels, order };
};
