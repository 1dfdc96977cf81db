// The inputs of a server: its configuration, and replacements for some of its parts.
import type { UploadDecoding } from '../audio/upload-decoding.ts';
import type { ReceiverRules } from '../jobs/webhooks/webhook-request.ts';
import type { Lifecycle } from '../lib/process/lifecycle.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Log } from '../observability/log.ts';
import type { Refiner } from '../refine/refiner.ts';
import type { Recogniser, SpeechEngine } from '../speech/recogniser.ts';
import type { StoreEvent } from '../speech/store/store.ts';
import type { Config } from './config.ts';

/** Replacements for real parts: for tests, and for callers that show progress. */
export interface Overrides {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly decoding?: UploadDecoding;
  /** A function gets the recognisers of the workers, if there are any. */
  readonly engine?: SpeechEngine | ((workers: Recogniser | undefined) => SpeechEngine);
  readonly refiner?: Refiner;
  /** Allowed receivers of webhooks. */
  readonly receivers?: ReceiverRules;
  /** Called with the progress of the model store at start. */
  readonly onStore?: (event: StoreEvent) => void;
}

export interface Setup {
  readonly config: Config;
  readonly overrides: Overrides;
  readonly lifecycle: Lifecycle;
}
