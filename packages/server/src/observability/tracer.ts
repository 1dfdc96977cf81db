// Where the time of a request goes, for OpenTelemetry: spans, told when they are over. Off unless an endpoint is set.

export interface Span {
  readonly requestId: string;
  /** call is the whole request; the others are parts of it. */
  readonly name: 'call' | 'receive' | 'decode' | 'queue' | 'recognise' | 'refine' | 'ledger';
  readonly startMs: number;
  readonly endMs: number;
  readonly isFailure?: boolean;
  /** Ids, numbers and names of small sets: never what was said. */
  readonly attributes?: Readonly<Record<string, string | number>>;
}

export interface Tracer {
  record(span: Span): void;
  close(): Promise<void>;
}

export const noTracer: Tracer = { record: () => {}, close: async () => {} };
