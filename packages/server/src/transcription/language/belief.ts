// Decides which language a session assumes for later windows, and when to doubt it.
import type { Recognition } from '../../speech/recogniser.ts';
import type { LanguageEvidence } from './vote.ts';

/** Confidently recognised speech in one language before later windows assume it. */
const BELIEF_VOICED_MS = 5_000;
const BELIEF_PROBABILITY = 0.85;
/** Doubt the language when another one is this probable. */
const OTHER_PROBABILITY = 0.5;
/** A window this poor in the assumed language is recognised again with detection: see docs/decisions/scheduling.md. */
const DOUBTFUL_LOG_PROBABILITY = -0.5;
const DOUBT_VOICED_MS_MIN = 4_000;
/** Lower the threshold by this much after an unfounded doubt. */
const TOLERANCE = 0.2;
/** Detect the language again after this many windows, however certain it is. */
const WINDOWS_PER_CHECK = 6;
/** Windows that may still be read again: an open utterance, and earlier ones whose results are late. */
const REREAD_WINDOWS_MAX = 8;

export class LanguageBelief {
  /** The only language allowed in the session; null when several are allowed. */
  readonly #only: string | null;
  #language: string | null = null;
  #voicedMs = 0;
  /** What each recent window has added to that, by its start: an open utterance is read again as it grows. */
  readonly #added = new Map<number, number>();
  #windowsSinceCheck = 0;
  #askedSample = -1;
  #doubtfulLogProbability = DOUBTFUL_LOG_PROBABILITY;

  /** `allowed`: the languages allowed in the session. Default: any. */
  constructor(allowed: readonly string[] = []) {
    this.#only = allowed.length === 1 ? allowed[0]! : null;
  }

  /** Whether only one language is allowed, so that nothing needs detecting. */
  get isCertain(): boolean {
    return this.#only !== null;
  }

  /** The language of the window that starts at this sample; null to detect it. */
  next(startSample: number): string | null {
    if (this.#only !== null) return this.#only;
    if (this.#voicedMs < BELIEF_VOICED_MS) return null;
    // The English model visibly fails on other languages, so every English window is a check.
    if (this.#language === 'en') return 'en';
    if (startSample !== this.#askedSample)
      this.#windowsSinceCheck = (this.#windowsSinceCheck + 1) % (WINDOWS_PER_CHECK + 1);
    this.#askedSample = startSample;
    return this.#windowsSinceCheck === 0 ? null : this.#language;
  }

  /** Learns from a window whose language was detected. A different language resets the belief. */
  learn({ recognition, voicedMs }: LanguageEvidence, startSample: number): void {
    const best = recognition.languages[0];
    if (!best || recognition.text.trim() === '') return;
    const isSure = best.probability >= BELIEF_PROBABILITY;
    if (best.language !== this.#language) {
      this.#language = isSure ? best.language : null;
      this.#voicedMs = 0;
      this.#added.clear();
    }
    this.#replace(startSample, isSure ? voicedMs : 0);
  }

  /** Whether a window recognised in the assumed language is likely in another one. */
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
  settleDoubt(doubted: Recognition, again: LanguageEvidence, startSample: number): void {
    const isSame = again.recognition.languages[0]?.language === this.#language;
    // The language was right and the audio is poor: tolerate more, so that its next window is not recognised twice.
    if (isSame)
      this.#doubtfulLogProbability = Math.min(this.#doubtfulLogProbability, doubted.averageLogProbability - TOLERANCE);
    this.learn(again, startSample);
  }

  #replace(startSample: number, addedMs: number): void {
    this.#voicedMs += addedMs - (this.#added.get(startSample) ?? 0);
    this.#added.set(startSample, addedMs);
    if (this.#added.size > REREAD_WINDOWS_MAX) this.#added.delete(this.#added.keys().next().value!);
  }
}
