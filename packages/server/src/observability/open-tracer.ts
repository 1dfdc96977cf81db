// Opens the tracer that the settings ask for.
import type { ObservabilitySettings } from './settings.ts';
import { noTracer, type Tracer } from './tracer.ts';

/** Loads the exporter only if it is configured. */
export const openTracer = async (
  config: Pick<ObservabilitySettings, 'otlpEndpoint' | 'otlpHeaders' | 'otlpServiceName'>,
  instance: string,
  onTrouble: (text: string) => void,
): Promise<Tracer> => {
  if (config.otlpEndpoint === undefined) return noTracer;
  const { OtlpTracer } = await import('./otlp-tracer.ts');
  return new OtlpTracer({
    endpoint: config.otlpEndpoint,
    headers: config.otlpHeaders,
    serviceName: config.otlpServiceName,
    instance,
    onTrouble,
  });
};
