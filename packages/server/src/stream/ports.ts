// What the stream room needs from the rest of the house.
import type { Authenticator } from '../accounts/principal.ts';
import type { UploadDecoding } from '../audio/decode.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Readiness } from '../platform/readiness.ts';
import type { Transcriber } from '../transcription/transcriber.ts';
import type { Meter } from '../usage/meter.ts';
import type { StreamSlots } from '../usage/slots.ts';

export interface StreamPorts {
  readonly config: Pick<
    Config,
    | 'firstFrameTimeoutMs'
    | 'idleTimeoutMs'
    | 'finalizeTimeoutMs'
    | 'shutdownGraceMs'
    | 'maxStreamSeconds'
    | 'pingIntervalMs'
  >;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly authenticator: Authenticator;
  readonly slots: StreamSlots;
  readonly meter: Meter;
  readonly transcriber: Transcriber;
  readonly decoding: Pick<UploadDecoding, 'openPcm16'>;
}
