// The acoustic model interface: speech in, a hypothesis out. Every model family implements it.
import type { OnnxModel } from '../graph/onnx.ts';
import type { RecognisedWord, SpeechTask } from '../recogniser.ts';
import type { AppliedTerm } from '../terms/applied-term.ts';
import type { TermList } from '../terms/term-list.ts';

/** Probabilities by language code; they sum to one. */
export type LanguageProbabilities = ReadonlyMap<string, number>;

export interface AcousticModel {
  /** Its id in the catalogue, such as `whisper-small`. */
  readonly id: string;
  /** Codes of the languages it transcribes. */
  readonly languages: ReadonlySet<string>;
  readonly detectsLanguage: boolean;
  encode(samples: Float32Array): Promise<EncodedSpeech>;
  /** Runs every graph once, so that the first window is not slower than others. */
  warmUp(): Promise<void>;
  /** Frees all encoded speech, when a window is done. */
  freeSpeech?(): void;
  close(): Promise<void>;
}

/** An encoded window; it can be decoded more than once. */
export interface EncodedSpeech {
  transcribe(options: TranscribeOptions): Promise<Hypothesis>;
  /** The words of a hypothesis with their confidence, without times. */
  words(hypothesis: Hypothesis): RecognisedWord[];
  wordTimes(hypothesis: Hypothesis, language: string): Promise<RecognisedWord[]>;
}

export interface MultilingualModel extends AcousticModel {
  readonly detectsLanguage: true;
  encode(samples: Float32Array): Promise<MultilingualSpeech>;
}

export interface SampleRange {
  readonly fromSample: number;
  readonly toSample: number;
}

export interface MultilingualSpeech extends EncodedSpeech {
  /** The language of the window, or of a part of it. */
  detectLanguage(part?: SampleRange): Promise<LanguageProbabilities>;
  /** Decodes the first words; may stop when their average log-probability can no longer reach `averageMin`. */
  transcribeBeginning(language: string, averageMin: number, checkpoint: () => void): Promise<Beginning>;
}

export const isMultilingual = (model: AcousticModel): model is MultilingualModel => model.detectsLanguage;

/** A model ignores options it does not support. */
export interface TranscribeOptions {
  /** One of the model's language codes. */
  readonly language: string;
  /** Only multilingual models translate. Default: transcribe. */
  readonly task?: SpeechTask;
  /** Terms that may have been said. A term is written where the model finds it nearly as likely as its own text. */
  readonly terms?: TermList | undefined;
  /** Terms that prompt a translation, for models that accept a prompt. */
  readonly vocabulary?: readonly string[];
  /** The text right before the window. */
  readonly precedingText?: string;
  /** Text already committed for the start of the audio: decoding continues after it. */
  readonly committedText?: string;
  /** An earlier hypothesis, or another model's. Speeds up decoding without changing the text, except by rounding. */
  readonly draft?: string;
  /** Decoding is retried at these temperatures while the text is a loop or improbable. */
  readonly temperatures?: readonly number[];
  /** Keep the data that word times need. */
  readonly wantWordTimes?: boolean;
  /** Stop when the first words indicate another language. */
  readonly stopWhenUnlikely?: boolean;
  /** Called between model runs; throws when the window was cancelled. */
  readonly checkpoint: () => void;
}

export interface Hypothesis {
  readonly text: string;
  readonly averageLogProbability: number;
  /** 0 when the model does not provide it. */
  readonly noSpeechProbability: number;
  /** The text is a loop or did not end: do not show it. */
  readonly degenerate: boolean;
  /** Decoding stopped early because the words were improbable: the text is incomplete. */
  readonly stoppedEarly: boolean;
  readonly tokens: readonly number[];
  readonly logProbabilities: readonly number[];
  /** Terms that replaced other words, and the text without them. */
  readonly terms?: readonly AppliedTerm[];
  readonly textWithoutTerms?: string;
}

/** The draft for another model, without terms: a term list may affect only the places of its terms. */
export const draftOf = ({ text, textWithoutTerms, degenerate }: Hypothesis): string =>
  degenerate ? '' : (textWithoutTerms ?? text);

/** Whether the text can be shown. */
export const isUsable = ({ text, degenerate }: Pick<Hypothesis, 'text' | 'degenerate'>): boolean =>
  text !== '' && !degenerate;

export interface Beginning {
  readonly text: string;
  /** Over the decoded tokens. */
  readonly averageLogProbability: number;
  /** Share of the tokens that were decoded; below 1 when decoding stopped early. */
  readonly decodedShare: number;
  readonly isLoop: boolean;
}

/** A kind of acoustic model; the catalogue names the family of each model. */
export interface AcousticModelFamily {
  load(options: {
    readonly id: string;
    /** Contains the published files. */
    readonly folder: string;
    /** Contains the compiled graphs. */
    readonly compiledFolder: string;
    /** Threads per encoder run. */
    readonly threads: number;
    /** Languages from the catalogue, for models that do not list their own. */
    readonly languages?: readonly string[] | undefined;
  }): Promise<AcousticModel>;
  /** Builds the graphs for `load` from the published files. Deterministic. */
  compile(folder: string, write: (graph: 'encoder' | 'decoder', model: OnnxModel) => Promise<void>): Promise<void>;
}
