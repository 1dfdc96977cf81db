// Pools recordings of one kind: error rates with intervals, and comparisons of systems on the recordings they share.
import { markdownTable } from '../markdown-table.ts';
import { compareErrors, errorInterval, type Interval, type SpeakerErrors } from './bootstrap.ts';
import { CHARACTER_LANGUAGES } from './normalise.ts';
import { type Hypothesis, type ManifestRow, scoreFolders } from './score.ts';

/** One clip as a system transcribed it. */
interface ScoredClip extends SpeakerErrors {
  readonly speaker: string;
}

/** Words and characters are counted separately, and English separately from other languages. */
const KINDS = ['English, words', 'other languages, words', 'other languages, characters'] as const;
type Kind = (typeof KINDS)[number];

const kindOf = (language: string): Kind => {
  if (language === 'en') return KINDS[0];
  return CHARACTER_LANGUAGES.has(language) ? KINDS[2] : KINDS[1];
};

/** Clips made from recordings of the same reader belong to one speaker, even if they were processed. */
export const speakerOf = ({ file, speaker }: ManifestRow): string => {
  const name = file.split('/').at(-1) ?? file;
  return speaker ?? /^(\d+)-\d+-\d+/.exec(name)?.[1] ?? file;
};

const percent = (value: number): string => value.toFixed(1);
const range = ({ low, high }: Interval): string => `${percent(low)} to ${percent(high)}`;

const bySpeaker = (clips: readonly ScoredClip[]): SpeakerErrors[] => {
  const speakers = new Map<string, SpeakerErrors>();
  for (const { speaker, errors, words } of clips) {
    const sum = speakers.get(speaker) ?? { errors: 0, words: 0 };
    speakers.set(speaker, { errors: sum.errors + errors, words: sum.words + words });
  }
  return [...speakers.values()];
};

export class PooledErrors {
  /** By kind, system and clip. */
  readonly #clips = new Map<Kind, Map<string, Map<string, ScoredClip>>>();

  add(system: string, set: string, manifest: readonly ManifestRow[], found: ReadonlyMap<string, Hypothesis>): void {
    for (const row of manifest) {
      if (!found.has(row.file) || !row.text || row.score === false || !row.language) continue;
      const [score] = scoreFolders([row], found);
      if (!score) continue;
      const errors = score.substitutions + score.deletions + score.insertions;
      const kind = kindOf(row.language);
      const systems = this.#clips.get(kind) ?? new Map<string, Map<string, ScoredClip>>();
      const clips = systems.get(system) ?? new Map<string, ScoredClip>();
      clips.set(`${set}/${row.file}`, { speaker: speakerOf(row), errors, words: score.referenceWords });
      this.#clips.set(kind, systems.set(system, clips));
    }
  }

  rates(): Record<string, string | number>[] {
    return this.#kinds().flatMap(([kind, systems]) =>
      [...systems].map(([system, clips]) => {
        const speakers = bySpeaker([...clips.values()]);
        const words = speakers.reduce((sum, speaker) => sum + speaker.words, 0);
        const errors = speakers.reduce((sum, speaker) => sum + speaker.errors, 0);
        return {
          recordings: kind,
          system,
          speakers: speakers.length,
          words,
          'error %': percent((100 * errors) / Math.max(1, words)),
          '95 %': range(errorInterval(speakers)),
        };
      }),
    );
  }

  /** Compares every pair of systems on the clips that both transcribed. */
  differences(): Record<string, string | number>[] {
    return this.#kinds().flatMap(([kind, systems]) => {
      const names = [...systems.keys()];
      const pairs = names.flatMap((name, nth) => names.slice(nth + 1).map((other) => [name, other] as const));
      return pairs.flatMap(([name, other]) => {
        const [ours, theirs] = [systems.get(name)!, systems.get(other)!];
        const shared = [...ours.keys()].filter((clip) => theirs.has(clip));
        if (shared.length === 0) return [];
        const of = (clips: ReadonlyMap<string, ScoredClip>) => bySpeaker(shared.map((clip) => clips.get(clip)!));
        const { difference, chance, ...interval } = compareErrors(of(ours), of(theirs));
        const isClear = interval.low > 0 || interval.high < 0;
        return {
          recordings: kind,
          systems: `${name} minus ${other}`,
          clips: shared.length,
          points: difference.toFixed(2),
          '95 %': range(interval),
          'by chance': chance < 0.001 ? '< 0.001' : chance.toFixed(3),
          finding: isClear ? (difference < 0 ? `${name} is better` : `${other} is better`) : 'no difference shown',
        };
      });
    });
  }

  markdown(): string {
    const differences = this.differences();
    const rates = `### All recordings together\n\n${markdownTable(this.rates())}\n`;
    return differences.length === 0 ? rates : `${rates}\n### Systems compared\n\n${markdownTable(differences)}\n`;
  }

  #kinds(): [Kind, Map<string, Map<string, ScoredClip>>][] {
    return KINDS.flatMap((kind) => {
      const systems = this.#clips.get(kind);
      return systems ? [[kind, systems]] : [];
    });
  }
}
