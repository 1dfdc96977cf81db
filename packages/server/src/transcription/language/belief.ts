// The language a session takes for granted in later windows, and when it doubts that language.
import type { Recognition } from '../../speech/recogniser.ts';
import type { LanguageEvidence } from './vote.ts';

/** Enough speech in one language, surely recognised, to take it for granted in what follows. */
const BELIEF_VOICED_MS = 5_000;
const BELIEF_PROBABILITY = 0.85;
/** Another language that is this probable is a reason for doubt. */
const OTHER_PROBABILITY = 0.5;
/** A window that goes this badly in the believed language is recognised again without it: see docs/decisions/scheduling.md. */
const DOUBTFUL_LOG_PROBABILITY = -0.5;
const DOUBT_VOICED_MS_MIN = 4_000;
/** After a doubt that was unfounded, the threshold is lowered by this much. */
const TOLERANCE = 0.2;
/** However sure, the language is detected again after so many windows. */
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

  /** Whether a window that was recognised in the believed language is likely to be in another. */
  doubts({ recognition, voicedMs }: LanguageEvidence): boolean {
    const best = recognition.languages[0];
    const disagrees = best !== undefined && best.language !== this.#language && best.probability > OTHER_PROBABILITY;
    const poor = recognition.text.trim() === '' || recognition.averageLogProbability < this.#doubtfulLogProbability;
    // A few words are always recognised poorly, and in English a second model has checked them already.
    const isShort = this.#language === 'en' && voicedMs < DOUBT_VOICED_MS_MIN;
    return disagrees || (poor && !isShort);
  }

  /** Learns from a doubted window that was recognised again, its language detected. */
  settleDoubt(doubted: Recognition, again: LanguageEvidence): void {
    const isSame = again.recognition.languages[0]?.language === this.#language;
    // Poor audio in the right language: the next window of it is not to be recognised twice.
    if (isSame)
      this.#doubtfulLogProbability = Math.min(this.#doubtfulLogProbability, doubted.averageLogProbability - TOLERANCE);
    this.learn(again);
  }
}
