// Settings of logs, metrics and traces.
import { z } from 'zod';
import { declareSettings, type SettingValues, setting } from '../config/setting.ts';
import { listenAddress, oneOf, optionalText, optionalUrl, text } from '../config/values.ts';

/** Comma-separated, percent-encoded `name=value` pairs, as OpenTelemetry defines them. */
const headerPairs = (list: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    list.split(',').flatMap((pair) => {
      const [name = '', ...value] = pair.split('=');
      return name.trim() === '' ? [] : [[name.trim().toLowerCase(), decodeURIComponent(value.join('=').trim())]];
    }),
  );

export const observabilitySettings = declareSettings({
  topic: 'Logs, metrics and traces',
  settings: {
    logLevel: setting(
      'LOG_LEVEL',
      oneOf(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
      'Least severe level that is logged: silent, fatal, error, warn, info, debug or trace.',
    ),
    metricsAddress: setting(
      'FAIRCOPY_METRICS_PORT',
      listenAddress(),
      'Serves /metrics on this port of 127.0.0.1, or on HOST:PORT, instead of the main port; 0 picks a free port.',
    ),
    metricsToken: setting(
      'FAIRCOPY_METRICS_TOKEN',
      optionalText(),
      'Token that /metrics requires, as "Authorization: Bearer TOKEN".',
      { secret: true },
    ),
    otlpEndpoint: setting(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      optionalUrl(/^https?$/, 'http://localhost:4318'),
      'OpenTelemetry collector for traces (OTLP over HTTP), such as http://localhost:4318. Nothing is traced without it.',
    ),
    otlpHeaders: setting(
      'OTEL_EXPORTER_OTLP_HEADERS',
      z
        .string()
        .default('')
        .transform((list, context) => {
          try {
            return headerPairs(list);
          } catch {
            context.addIssue({ code: 'custom', message: 'must be name=value pairs, percent-encoded' });
            return z.NEVER;
          }
        }),
      'Headers for the collector: name=value pairs separated by commas.',
      { secret: true },
    ),
    otlpServiceName: setting('OTEL_SERVICE_NAME', text('faircopy'), 'Name of this service in traces.'),
  },
  dropped: {
    FAIRCOPY_METRICS_HOST: 'write the host into FAIRCOPY_METRICS_PORT, as in 0.0.0.0:9464',
  },
});

export type ObservabilitySettings = SettingValues<typeof observabilitySettings>;
