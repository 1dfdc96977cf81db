// What a server is built from: its configuration, and replacements for some of its parts.
import type { UploadDecoding } from '../audio/upload-decoding.ts';
import type { ReceiverRules } from '../jobs/webhooks/webhook-request.ts';
import type { Lifecycle } from '../lib/process/lifecycle.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Log } from '../observability/log.ts';
import type { Refiner } from '../refine/refiner.ts';
import type { Recogniser, SpeechEngine } from '../speech/recogniser.ts';
import type { StoreEvent } from '../speech/store/store.ts';
import type { Config } from './config.ts';

/** Used instead of the real parts: by tests, and by callers that show progress. */
export interface Overrides {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly decoding?: UploadDecoding;
  /** A function gets the recognisers of the workers, if there are any. */
  readonly engine?: SpeechEngine | ((workers: Recogniser | undefined) => SpeechEngine);
  readonly refiner?: Refiner;
  /** Which addresses webhooks may have. */
  readonly receivers?: ReceiverRules;
  /** Called with the progress of the model store at start. */
  readonly onStore?: (event: StoreEvent) => void;
}

export interface Setup {
  readonly config: Config;
  readonly overrides: Overrides;
  readonly lifecycle: Lifecycle;
}
