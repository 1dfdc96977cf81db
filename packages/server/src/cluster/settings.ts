// Settings of the connection to NATS.
import { z } from 'zod';
import { declareSettings, type SettingValues, setting } from '../config/setting.ts';
import { listed, optionalText } from '../config/values.ts';

/** A user without a password, or the reverse. URL parsers take `user:@host` for `user@host`, which is a token. */
const EMPTY_CREDENTIAL = /^\w+:\/\/(?:[^/?#@:]*:|:[^/?#@]*)@/;

export const clusterSettings = declareSettings({
  topic: 'Several machines',
  settings: {
    natsUrl: setting(
      'NATS_URL',
      z
        .string()
        .transform(listed)
        .pipe(
          z
            .array(
              z
                .url({ protocol: /^(nats|tls)$/, error: 'must be nats://host:4222 or tls://host:4222' })
                .refine((address) => !EMPTY_CREDENTIAL.test(address), {
                  error:
                    'needs a user and a password on both sides of the colon; a token has no colon: nats://token@host:4222',
                }),
            )
            .min(1),
        )
        .optional(),
      'NATS servers between gateways and workers, separated by commas; tls:// requires TLS. User and password, or a token, may be part of the address: nats://token@host:4222.',
      { secret: true },
    ),
    natsUser: setting('NATS_USER', optionalText(), 'User at the NATS server.'),
    natsPassword: setting('NATS_PASSWORD', optionalText(), 'Password of that user.', { secret: true }),
    natsCredsFile: setting(
      'NATS_CREDS_FILE',
      optionalText(),
      'File with NATS credentials: a .creds file, or the seed of an nkey.',
    ),
    natsCaFile: setting(
      'NATS_CA_FILE',
      optionalText(),
      "File with the certificate authorities for the NATS server's certificate; requires TLS.",
    ),
  },
  dropped: {
    NATS_TOKEN: 'put the token in NATS_URL, as in nats://token@host:4222',
    NATS_NKEY_FILE: 'set NATS_CREDS_FILE to the same file',
  },
});

export type ClusterSettings = SettingValues<typeof clusterSettings>;
