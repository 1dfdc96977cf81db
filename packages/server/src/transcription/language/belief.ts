// The language a session assumes for later windows, and when it doubts that language.
import type { Recognition } from '../../speech/recogniser.ts';
import type { LanguageEvidence } from './vote.ts';

/** Speech in one language, recognised with confidence, before it is assumed for later windows. */
const BELIEF_VOICED_MS = 5_000;
const BELIEF_PROBABILITY = 0.85;
/** Doubt the language when another one is this probable. */
const OTHER_PROBABILITY = 0.5;
/** A window that goes this badly in the believed language is recognised again without it: see docs/decisions/scheduling.md. */
const DOUBTFUL_LOG_PROBABILITY = -0.5;
const DOUBT_VOICED_MS_MIN = 4_000;
/** Lower the threshold by this much after an unfounded doubt. */
const TOLERANCE = 0.2;
/** Detect the language again after this many windows, however certain it is. */
const WINDOWS_PER_CHECK = 6;

/** The language assumed for later windows of one session. */
export class LanguageBelief {
  /** The only language that the session may be in; null: there are several. */
  readonly #only: string | null;
  #language: string | null = null;
  #voicedMs = 0;
  #windowsSinceCheck = 0;
  #doubtfulLogProbability = DOUBTFUL_LOG_PROBABILITY;

  /** `allowed`: the languages that the session may be in. Default: any. */
  constructor(allowed: readonly string[] = []) {
    this.#only = allowed.length === 1 ? allowed[0]! : null;
  }

  /** Whether nothing is left to detect. */
  get isCertain(): boolean {
    return this.#only !== null;
  }

  /** The language of the next window; null to detect it. */
  next(): string | null {
    if (this.#only !== null) return this.#only;
    if (this.#voicedMs < BELIEF_VOICED_MS) return null;
    // The English model visibly fails on other languages, so every English window is a check.
    if (this.#language === 'en') return 'en';
    this.#windowsSinceCheck += 1;
    if (this.#windowsSinceCheck <= WINDOWS_PER_CHECK) return this.#language;
    this.#windowsSinceCheck = 0;
    return null;
  }

  /** Learns from a window whose language was detected. A different language resets the belief. */
  learn({ recognition, voicedMs }: LanguageEvidence): void {
    const best = recognition.languages[0];
    if (!best || recognition.text.trim() === '') return;
    const sure = best.probability >= BELIEF_PROBABILITY;
    if (best.language === this.#language) this.#voicedMs += sure ? voicedMs : 0;
    else {
      this.#language = sure ? best.language : null;
      this.#voicedMs = sure ? voicedMs : 0;
    }
  }

  /** Whether a window recognised in the believed language is likely in another one. */
  doubts({ recognition, voicedMs }: LanguageEvidence): boolean {
    if (this.#only !== null) return false;
    const best = recognition.languages[0];
    const disagrees = best !== undefined && best.language !== this.#language && best.probability > OTHER_PROBABILITY;
    const poor = recognition.text.trim() === '' || recognition.averageLogProbability < this.#doubtfulLogProbability;
    // A few words are always recognised poorly, and a second model has already checked English ones.
    const isShort = this.#language === 'en' && voicedMs < DOUBT_VOICED_MS_MIN;
    return disagrees || (poor && !isShort);
  }

  /** Learns from a doubted window that was recognised again with its language detected. */
  settleDoubt(doubted: Recognition, again: LanguageEvidence): void {
    const isSame = again.recognition.languages[0]?.language === this.#language;
    // Poor audio in the right language: do not recognise its next window twice.
    if (isSame)
      this.#doubtfulLogProbability = Math.min(this.#doubtfulLogProbability, doubted.averageLogProbability - TOLERANCE);
    this.learn(again);
  }
}
