// Settings of the HTTP server: where it listens, how it is reached, and its limits.
import { LIMITS } from '@faircopy/contract';
import { z } from 'zod';
import { declareSettings, type SettingValues, setting } from '../../config/setting.ts';
import { listed, milliseconds, optionalText, optionalUrl, text, wholeNumber } from '../../config/values.ts';
import { addressFault } from '../../lib/net/address-list.ts';

export const httpSettings = declareSettings({
  topic: 'Network',
  settings: {
    port: setting('PORT', wholeNumber(8080, 0, 65_535), 'Port to listen on; 0 picks a free one.'),
    host: setting('HOST', text('127.0.0.1'), 'Address to listen on; 0.0.0.0 opens the service to the network.'),
    tlsCert: setting(
      'FAIRCOPY_TLS_CERT',
      optionalText(),
      'File with the certificate chain (PEM). With it, the server itself speaks https and wss.',
    ),
    tlsKey: setting('FAIRCOPY_TLS_KEY', optionalText(), 'File with the private key of that certificate (PEM).'),
    publicUrl: setting(
      'FAIRCOPY_PUBLIC_URL',
      optionalUrl(/^https?$/, 'https://speech.example.org').transform((url) =>
        url?.replace(/[?#].*$/, '').replace(/\/+$/, ''),
      ),
      'Address of the service for browsers behind a proxy; it may have a path. With https, cookies are marked secure.',
    ),
    trustedProxies: setting(
      'FAIRCOPY_TRUSTED_PROXIES',
      z
        .string()
        .default('')
        .transform(listed)
        .pipe(
          z.array(
            z.string().refine((entry) => addressFault(entry) === null, {
              error: ({ input }) => addressFault(String(input)) ?? '',
            }),
          ),
        ),
      'Addresses and ranges (10.0.0.0/8) of proxies whose X-Forwarded-For or Forwarded is trusted, separated by commas.',
    ),
    maxConnections: setting(
      'FAIRCOPY_MAX_CONNECTIONS',
      wholeNumber(10_000, 1, 1_000_000),
      'Open connections; more are closed at once. One address, other than a trusted proxy, may have a quarter of them.',
    ),
    uploadTimeoutMs: setting(
      'FAIRCOPY_UPLOAD_TIMEOUT_MS',
      milliseconds(120_000),
      'Time for an upload to POST /v1/transcribe to arrive; longer files have five times as long.',
    ),
    shutdownGraceMs: setting(
      'FAIRCOPY_SHUTDOWN_GRACE_MS',
      milliseconds(LIMITS.finalizeTimeoutMs + 5_000),
      'Time for running requests to finish after SIGTERM.',
    ),
  },
  check: ({ tlsCert, tlsKey }) =>
    (tlsCert === undefined) === (tlsKey === undefined) ? [] : ['FAIRCOPY_TLS_CERT: needs FAIRCOPY_TLS_KEY too'],
  dropped: {
    FAIRCOPY_MAX_CONNECTIONS_PER_ADDRESS: 'it is a quarter of FAIRCOPY_MAX_CONNECTIONS',
  },
});

export type HttpSettings = SettingValues<typeof httpSettings>;

const LONG_UPLOAD_FACTOR = 5;

/** Time for the upload of a file that may be ten times as large as the contract's. */
export const longUploadTimeoutMs = ({ uploadTimeoutMs }: Pick<HttpSettings, 'uploadTimeoutMs'>): number =>
  LONG_UPLOAD_FACTOR * uploadTimeoutMs;
