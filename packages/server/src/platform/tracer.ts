// Where the time of a request goes, for OpenTelemetry: spans, told when they are over. Off unless an endpoint is set.
import type { Config } from './config.ts';

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

/** The exporter's code is loaded only when it is asked for. */
export const openTracer = async (
  config: Pick<Config, 'otlpEndpoint' | 'otlpHeaders' | 'otlpServiceName'>,
  onTrouble: (text: string) => void,
): Promise<Tracer> => {
  if (config.otlpEndpoint === undefined) return noTracer;
  const { OtlpTracer } = await import('./otlp-tracer.ts');
  return new OtlpTracer({
    endpoint: config.otlpEndpoint,
    headers: config.otlpHeaders,
    serviceName: config.otlpServiceName,
    onTrouble,
  });
};
