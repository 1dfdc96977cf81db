// The port of an acoustic model: speech in, a hypothesis out. Every model family fulfils it.
import type { OnnxModel } from '../graph/onnx.ts';
import type { RecognisedWord, SpeechTask } from '../recogniser.ts';

/** Probability by language code; they sum to one. */
export type LanguageProbabilities = ReadonlyMap<string, number>;

export interface AcousticModel {
  /** Its id in the catalogue, such as `whisper-small`. */
  readonly id: string;
  /** Codes of the languages it can transcribe. */
  readonly languages: ReadonlySet<string>;
  /** Whether it can tell which of its languages is spoken. */
  readonly detectsLanguage: boolean;
  /** Whether it can be told terms that are likely to be said. */
  readonly takesVocabulary: boolean;
  encode(samples: Float32Array): Promise<EncodedSpeech>;
  /** Runs every graph once, so that the first window pays nothing extra. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** A window that a model has encoded. It can be decoded more than once. */
export interface EncodedSpeech {
  transcribe(options: TranscribeOptions): Promise<Hypothesis>;
  /** The words of a hypothesis with their confidence; no times. */
  words(hypothesis: Hypothesis): RecognisedWord[];
  wordTimes(hypothesis: Hypothesis, language: string): Promise<RecognisedWord[]>;
}

/** A model that detects the language. */
export interface MultilingualModel extends AcousticModel {
  readonly detectsLanguage: true;
  encode(samples: Float32Array): Promise<MultilingualSpeech>;
}

export interface MultilingualSpeech extends EncodedSpeech {
  /** The language of the window, or of the part between two samples of it. */
  detectLanguage(part?: { readonly fromSample: number; readonly toSample: number }): Promise<LanguageProbabilities>;
  /** Decodes the first words. It may stop once their average log-probability can no longer reach `averageMin`. */
  transcribeBeginning(language: string, averageMin: number, checkpoint: () => void): Promise<Beginning>;
}

export const isMultilingual = (model: AcousticModel): model is MultilingualModel => model.detectsLanguage;

/** A model ignores the options that it cannot use. */
export interface TranscribeOptions {
  /** One of the model's codes. */
  readonly language: string;
  /** Only multilingual models translate. Default: transcribe. */
  readonly task?: SpeechTask;
  /** Terms that are likely to be said. */
  readonly vocabulary?: readonly string[];
  /** What was said right before the window. */
  readonly precedingText?: string;
  /** Words with which the audio begins: the text goes on after them. */
  readonly committedText?: string;
  /** What another model, or an earlier reading, recognised in the same audio. It makes decoding faster; but for rounding the text is the same. */
  readonly draft?: string;
  /** Decoding is tried again at each of these temperatures while the text is a loop or improbable. */
  readonly temperatures?: readonly number[];
  /** Word times will be asked for, so that what they need is kept. */
  readonly wantWordTimes?: boolean;
  /** Stops early when the first words show that this is another language. */
  readonly stopWhenUnlikely?: boolean;
  /** Called between model runs; throws when the window was given up. */
  readonly checkpoint: () => void;
}

export interface Hypothesis {
  readonly text: string;
  readonly averageLogProbability: number;
  /** 0 where the model does not tell. */
  readonly noSpeechProbability: number;
  /** The text repeats itself or never ended: not to be shown as it is. */
  readonly degenerate: boolean;
  /** Decoding stopped early, since the model was at a loss: the text is only a beginning. */
  readonly stoppedEarly: boolean;
  readonly tokens: readonly number[];
  readonly logProbabilities: readonly number[];
}

/** Whether the text of a hypothesis can be shown. */
export const isUsable = ({ text, degenerate }: Pick<Hypothesis, 'text' | 'degenerate'>): boolean =>
  text !== '' && !degenerate;

export interface Beginning {
  readonly text: string;
  /** Of the tokens that were decoded. */
  readonly averageLogProbability: number;
  /** How much was decoded of what would have been; below 1 where it was given up. */
  readonly decodedShare: number;
  readonly isLoop: boolean;
}

/** A kind of acoustic model. The catalogue says of which family each model is. */
export interface AcousticModelFamily {
  load(options: {
    readonly id: string;
    /** Holds the original files. */
    readonly folder: string;
    /** Holds the compiled graphs. */
    readonly compiledFolder: string;
    /** Threads of one encoder run. */
    readonly threads: number;
  }): Promise<AcousticModel>;
  /** Builds the graphs that `load` opens from the original files. The same input gives the same bytes. */
  compile(folder: string, write: (graph: 'encoder' | 'decoder', model: OnnxModel) => Promise<void>): Promise<void>;
}
