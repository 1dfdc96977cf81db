// Spans of requests for OpenTelemetry, recorded when they end. Tracing is off unless an endpoint is set.
import type { TraceParent } from './trace-parent.ts';

export interface Span {
  readonly requestId: string;
  /** `call` is the whole request; the others are parts of it. */
  readonly name: 'call' | 'receive' | 'decode' | 'queue' | 'recognise' | 'refine' | 'ledger';
  readonly startMs: number;
  readonly endMs: number;
  readonly isFailure?: boolean;
  /** Ids, numbers and names from small sets, never text. */
  readonly attributes?: Readonly<Record<string, string | number>>;
}

export interface Tracer {
  /** Makes the spans of this request continue the caller's trace, until some time after `forget`. */
  adopt(requestId: string, parent: TraceParent): void;
  forget(requestId: string): void;
  record(span: Span): void;
  close(): Promise<void>;
}

export const noTracer: Tracer = { adopt: () => {}, forget: () => {}, record: () => {}, close: async () => {} };
