// Analyses what captions showed and when: how soon each word appeared after it was said, and how many words changed.

/** All words shown at one moment. */
export interface Shown {
  /** Milliseconds since the first sample was sent. */
  readonly atMs: number;
  readonly words: readonly ShownWord[];
  /** Whether the newest words are final. */
  readonly isFinal: boolean;
}

export interface ShownWord {
  readonly text: string;
  readonly startMs: number;
}

/** A word as file mode recognises it, including its end time. */
export interface SpokenWord extends ShownWord {
  readonly endMs: number;
}

/** The times of the same word differ slightly between two recognitions. */
const TIME_SLACK_MS = 1_000;

export const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');

/** For each word of `first`, whether it is in the longest common subsequence with `second`. */
const kept = (first: readonly string[], second: readonly string[]): boolean[] => {
  const width = second.length + 1;
  const common = new Uint16Array((first.length + 1) * width);
  for (let i = first.length - 1; i >= 0; i--) {
    for (let j = second.length - 1; j >= 0; j--) {
      common[i * width + j] =
        first[i] === second[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const found = first.map(() => false);
  for (let i = 0, j = 0; i < first.length && j < second.length; ) {
    if (first[i] === second[j]) {
      found[i++] = true;
      j++;
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) i++;
    else j++;
  }
  return found;
};

export interface Appearance {
  /** From the end of the word until it was first shown. */
  readonly afterMs: number;
  /** Whether no interim had it. */
  readonly byFinal: boolean;
}

/** When each spoken word was first shown. Words that never appeared are left out. */
export const appearances = (spoken: readonly SpokenWord[], shown: readonly Shown[]): Appearance[] =>
  spoken.flatMap(({ text, startMs, endMs }) => {
    const first = shown.find(
      ({ atMs, words }) =>
        atMs >= startMs &&
        words.some((word) => bare(word.text) === bare(text) && Math.abs(word.startMs - startMs) < TIME_SLACK_MS),
    );
    return first === undefined ? [] : [{ afterMs: first.atMs - endMs, byFinal: first.isFinal }];
  });

/** One frame of the screen. Text that is replaced within a frame is never seen. */
const FRAME_MS = 16;

/** The number of words that were shown, and of words that changed afterwards, ignoring case and punctuation. */
export const changes = (shown: readonly Shown[]): { readonly shown: number; readonly changed: number } => {
  let changed = 0;
  let count = 0;
  let before: readonly string[] = [];
  for (const [nth, { words, atMs }] of shown.entries()) {
    if ((shown[nth + 1]?.atMs ?? Number.POSITIVE_INFINITY) - atMs < FRAME_MS) continue;
    const now = words.map(({ text }) => bare(text));
    const stayed = kept(before, now).filter(Boolean).length;
    changed += before.length - stayed;
    count += now.length - stayed;
    before = now;
  }
  return { shown: count, changed };
};
