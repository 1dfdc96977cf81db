// Finds the speakers of a live stream: reclusters at each utterance, keeps numbers, and freezes labels after 10 s.
import { type BandEnergy, isNarrowBand } from '../../speech/speakers/bandwidth.ts';
import { secondsOf } from './analysis/atoms.ts';
import type { Consensus } from './analysis/consensus.ts';
import { windowShares } from './analysis/tracks.ts';
import { assignAtoms } from './assign.ts';
import { coreOf, itemOf, similaritiesOfAtoms, spanOf, stopOf } from './diarize.ts';
import { type Item, joinAlike, joinItems, similaritiesOf, speakersAmong } from './groups.ts';
import { type DiarizationParameters, PARAMETERS, type Stop } from './parameters.ts';
import { keepSpeakerNumbers, OverlapTable } from './speaker-numbers.ts';
import { turnsOf } from './turns.ts';
import type { ActivityWindow, DiarizedSpeaker, EmbeddedAtom, SpeakerCount, SpeakerTurn, SpokenSpan } from './types.ts';
import { nearestTo } from './vectors.ts';

/** After this age the labels of an utterance never change. */
export const FREEZE_SECONDS = 10;

/** Atoms clustered at once; older speech is kept as groups. About three minutes of speech. */
const LIVE_BLOCK_ATOMS = 240;

/** What the models found in one utterance. */
export interface UtteranceAnalysis {
  readonly endSeconds: number;
  readonly windows: readonly ActivityWindow[];
  readonly atoms: readonly EmbeddedAtom[];
  readonly consensus: Consensus;
  readonly band: BandEnergy;
  readonly stop: Stop;
}

export interface UtteranceSpeakers {
  /** 0, 1, … in the order of the calls. */
  readonly utterance: number;
  readonly turns: readonly SpeakerTurn[];
  readonly spans: readonly SpokenSpan[];
}

export interface LiveUpdate extends UtteranceSpeakers {
  /** All speakers heard so far, except those whose speech has since been assigned to others. */
  readonly speakers: readonly DiarizedSpeaker[];
  readonly isNarrowBand: boolean;
  /** Earlier utterances, at most ten seconds old, whose speakers have changed. */
  readonly changed: readonly UtteranceSpeakers[];
}

interface LabelledAtom {
  readonly atom: EmbeddedAtom;
  readonly utterance: number;
  speaker: number;
  confidence: number;
}

interface NamedGroup {
  readonly item: Item;
  readonly speaker: number;
}

export class LiveSpeakers {
  readonly #limits: SpeakerCount;
  readonly #parameters: DiarizationParameters;
  readonly #blockAtoms: number;
  /** Atoms of the current block, in order. */
  #atoms: LabelledAtom[] = [];
  #windows: ActivityWindow[] = [];
  readonly #groups: NamedGroup[] = [];
  /** Utterances that may still change. */
  #open: { readonly utterance: number; readonly analysis: UtteranceAnalysis }[] = [];
  #band = { low: 0, high: 0 };
  #utterances = 0;
  #speakers = 0;
  #found: readonly DiarizedSpeaker[] = [];

  constructor(
    limits: SpeakerCount = {},
    parameters: DiarizationParameters = PARAMETERS,
    blockAtoms = LIVE_BLOCK_ATOMS,
  ) {
    this.#limits = limits;
    this.#parameters = parameters;
    this.#blockAtoms = blockAtoms;
  }

  /** Utterances must come in order and must not overlap. */
  add(analysis: UtteranceAnalysis): LiveUpdate {
    const utterance = this.#utterances++;
    this.#band = { low: this.#band.low + analysis.band.low, high: this.#band.high + analysis.band.high };
    this.#windows.push(...analysis.windows);
    for (const atom of analysis.atoms) this.#atoms.push({ atom, utterance, speaker: -1, confidence: 1 });
    this.#open = this.#open.filter((open) => analysis.endSeconds - open.analysis.endSeconds <= FREEZE_SECONDS);
    this.#open.push({ utterance, analysis });
    const before = new Map(this.#atoms.map((labelled) => [labelled, labelled.speaker]));
    this.#label(stopOf({ band: this.#band, stop: analysis.stop }));
    const changed = new Set<number>();
    for (const [labelled, speaker] of before) if (labelled.speaker !== speaker) changed.add(labelled.utterance);
    changed.delete(utterance);
    const update = {
      ...this.#speakersOf(utterance, analysis),
      changed: this.#open
        .filter((open) => changed.has(open.utterance))
        .map((open) => this.#speakersOf(open.utterance, open.analysis)),
      speakers: this.#found,
      isNarrowBand: isNarrowBand(this.#band),
    };
    this.#closeBlock();
    return update;
  }

  #label(stop: number): void {
    const atoms = this.#atoms.map(({ atom }) => atom);
    const windows = windowShares(this.#windows, atoms);
    const core = coreOf(atoms);
    const own = core.map((index) => itemOf(atoms[index]!));
    const similarities = similaritiesOfAtoms(atoms, core, windows, this.#parameters);
    const kept = this.#groups.map(({ item }) => item);
    const items = [...(kept.length > 0 ? joinAlike(own, similarities, stop) : own), ...kept];
    const matrix = kept.length > 0 ? similaritiesOf(items) : similarities;
    const found = speakersAmong(items, matrix, stop, this.#limits, this.#parameters);
    if (found.length === 0) return;
    const { labels, centroids, confidences } = assignAtoms(atoms, found, windows, this.#parameters);

    const overlaps = new OverlapTable();
    this.#atoms.forEach(({ atom, speaker }, index) => {
      if (speaker >= 0) overlaps.add(labels[index]!, speaker, secondsOf(atom));
    });
    for (const { item, speaker } of this.#groups)
      overlaps.add(nearestTo(item.vector, centroids), speaker, item.seconds);
    const numbers = keepSpeakerNumbers(centroids.length, overlaps.all, this.#speakers);
    const mayChange = new Set(this.#open.map(({ utterance }) => utterance));
    this.#atoms.forEach((labelled, index) => {
      if (!mayChange.has(labelled.utterance)) return;
      labelled.speaker = numbers[labels[index]!]!;
      labelled.confidence = confidences[index]!;
      this.#speakers = Math.max(this.#speakers, labelled.speaker + 1);
    });
    const seconds = this.#secondsBySpeaker();
    this.#found = centroids.map((embedding, cluster) => {
      const speaker = numbers[cluster]!;
      return { speaker, embedding, seconds: seconds.get(speaker) ?? 0 };
    });
  }

  #secondsBySpeaker(): ReadonlyMap<number, number> {
    const seconds = new Map<number, number>();
    const add = (speaker: number, more: number) => seconds.set(speaker, (seconds.get(speaker) ?? 0) + more);
    for (const { atom, speaker } of this.#atoms) add(speaker, secondsOf(atom));
    for (const { item, speaker } of this.#groups) add(speaker, item.seconds);
    return seconds;
  }

  #speakersOf(utterance: number, { consensus, endSeconds }: UtteranceAnalysis): UtteranceSpeakers {
    const own = this.#atoms.filter((labelled) => labelled.utterance === utterance && labelled.speaker >= 0);
    const turns = turnsOf(
      own.map(({ atom }) => atom),
      own.map(({ speaker }) => speaker),
      consensus,
      endSeconds,
    );
    const spans = own.map(({ atom, speaker, confidence }) => spanOf(atom, speaker, confidence));
    return { utterance, turns, spans };
  }

  /** Turns the frozen atoms of a full block into one group per speaker. */
  #closeBlock(): void {
    if (this.#atoms.length < this.#blockAtoms) return;
    const mayChange = new Set(this.#open.map(({ utterance }) => utterance));
    const frozen = this.#atoms.filter(({ utterance }) => !mayChange.has(utterance));
    const speakers = new Set(frozen.map(({ speaker }) => speaker));
    for (const speaker of speakers) {
      const items = frozen.filter((labelled) => labelled.speaker === speaker).map(({ atom }) => itemOf(atom));
      this.#groups.push({ item: joinItems(items), speaker });
    }
    this.#atoms = this.#atoms.filter(({ utterance }) => mayChange.has(utterance));
    const first = this.#atoms[0]?.atom.fromFrame ?? Number.POSITIVE_INFINITY;
    this.#windows = this.#windows.filter(({ firstFrame, bits }) => firstFrame + bits.length > first);
  }
}
