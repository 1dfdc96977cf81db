// What a session believes about the language: a hint that biases, and windows that agree or not.
import type { Recognition } from '../speech/recogniser.ts';

/** ISO 639-1 codes: all of them, since which ones a model knows is the model's matter. */
const ISO_639_1 = new Set(
  (
    'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en ' +
    'eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ' +
    'ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ' +
    'ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st ' +
    'su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'
  ).split(' '),
);

/** Codes that were withdrawn, or that people write for their neighbours. */
const ALIASES: Readonly<Record<string, string>> = { iw: 'he', in: 'id', ji: 'yi', jw: 'jv', mo: 'ro', sh: 'sr' };

/** Chinese as it is written in Taiwan, Hong Kong and Macau. */
const TRADITIONAL_CHINESE = /^zh[-_](hant|tw|hk|mo)\b/;

/**
 * The hint as a code, or null when it is none: `EN`, `en-US` and `pt_BR` are understood. Only for Chinese does the region
 * matter: it tells which letters to write.
 */
export const normaliseHint = (hint: string | undefined): string | null => {
  const tag = hint?.trim().toLowerCase() ?? '';
  if (TRADITIONAL_CHINESE.test(tag)) return 'zh-Hant';
  const code = tag.split(/[-_]/)[0] ?? '';
  const known = ALIASES[code] ?? code;
  return ISO_639_1.has(known) ? known : null;
};

export interface HeardWindow {
  readonly recognition: Recognition;
  readonly voicedMs: number;
}

/** The share of the evidence that the best language needs to be named. */
const SHARE_MIN = 0.5;

/** The language most of the speech is in, weighted by its length and by how sure each window is; null when unclear. */
export const voteLanguage = (windows: readonly HeardWindow[]): string | null => {
  const votes = new Map<string, number>();
  let votedMs = 0;
  for (const { recognition, voicedMs } of windows) {
    if (recognition.text.trim() === '') continue;
    votedMs += voicedMs;
    for (const { language, probability } of recognition.languages) {
      votes.set(language, (votes.get(language) ?? 0) + voicedMs * probability);
    }
  }
  const [winner] = [...votes].sort(([, a], [, b]) => b - a);
  return winner && winner[1] >= SHARE_MIN * votedMs ? winner[0] : null;
};

/** Enough speech in one language, surely recognised, to take it for granted in what follows. */
const BELIEF_VOICED_MS = 5_000;
const BELIEF_PROBABILITY = 0.85;
/** A window that goes this badly in the believed language is heard again without it: see docs/decisions/scheduling.md. */
const DOUBTFUL_LOG_PROBABILITY = -0.5;
const DOUBT_VOICED_MS_MIN = 4_000;
/** A doubt that was for nothing makes the session this much slower to doubt. */
const TOLERANCE = 0.2;
/** However sure, the language is listened for anew after so many windows. */
const WINDOWS_PER_CHECK = 6;

/** The language taken for granted in later windows of one session, and when to ask again. */
export class LanguageBelief {
  #language: string | null = null;
  #voicedMs = 0;
  #windowsSinceCheck = 0;
  #doubtfulLogProbability = DOUBTFUL_LOG_PROBABILITY;

  /** The language to recognise the next window in; null when it is to be detected. */
  next(): string | null {
    if (this.#voicedMs < BELIEF_VOICED_MS) return null;
    // The English model is lost in other languages and shows it, so every window in English is a check of its own.
    if (this.#language === 'en') return 'en';
    this.#windowsSinceCheck += 1;
    if (this.#windowsSinceCheck <= WINDOWS_PER_CHECK) return this.#language;
    this.#windowsSinceCheck = 0;
    return null;
  }

  /** Learns from a window whose language was detected. One that disagrees re-opens the question. */
  learn({ recognition, voicedMs }: HeardWindow): void {
    const best = recognition.languages[0];
    if (!best || recognition.text.trim() === '') return;
    const sure = best.probability >= BELIEF_PROBABILITY;
    if (best.language === this.#language) this.#voicedMs += sure ? voicedMs : 0;
    else {
      this.#language = sure ? best.language : null;
      this.#voicedMs = sure ? voicedMs : 0;
    }
  }

  /** Whether a window that was recognised in the believed language is likely to be in another. */
  doubts({ recognition, voicedMs }: HeardWindow): boolean {
    const best = recognition.languages[0];
    const disagrees = best !== undefined && best.language !== this.#language && best.probability > SHARE_MIN;
    const poor = recognition.text.trim() === '' || recognition.averageLogProbability < this.#doubtfulLogProbability;
    // A few words are always heard poorly, and in English a second model has listened to them already.
    const isShort = this.#language === 'en' && voicedMs < DOUBT_VOICED_MS_MIN;
    return disagrees || (poor && !isShort);
  }

  /** Learns from a doubted window that was heard again, its language detected. */
  settleDoubt(doubted: Recognition, again: HeardWindow): void {
    const isSame = again.recognition.languages[0]?.language === this.#language;
    // Poor audio in the right language: the next window of it is not to be recognised twice.
    if (isSame)
      this.#doubtfulLogProbability = Math.min(this.#doubtfulLogProbability, doubted.averageLogProbability - TOLERANCE);
    this.learn(again);
  }
}
