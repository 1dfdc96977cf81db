// Settings of signing in to the console: an OpenID Connect provider, and a mail server for links.
import { z } from 'zod';
import { declareSettings, setting } from '../../config/setting.ts';
import { optionalText, optionalUrl, text } from '../../config/values.ts';

/** Plain http is safe only on this machine: an attacker who alters the provider's responses can sign in as anyone. */
const isSafeIssuer = (issuer: string): boolean => {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
};

export const signInSettings = declareSettings({
  topic: 'Console sign-in and e-mail',
  settings: {
    oidcIssuer: setting(
      'FAIRCOPY_OIDC_ISSUER',
      optionalUrl(/^https?$/, 'https://id.example.org').refine(
        (issuer) => issuer === undefined || isSafeIssuer(issuer),
        'must be https',
      ),
      'OpenID Connect provider for signing in to the console; https, or on this machine.',
    ),
    oidcClientId: setting('FAIRCOPY_OIDC_CLIENT_ID', optionalText(), 'Client id at the provider.'),
    oidcClientSecret: setting('FAIRCOPY_OIDC_CLIENT_SECRET', optionalText(), 'Client secret at the provider.', {
      secret: true,
    }),
    oidcName: setting('FAIRCOPY_OIDC_NAME', text('your organisation'), 'Name of the provider on the sign-in button.'),
    smtpUrl: setting(
      'FAIRCOPY_SMTP_URL',
      z
        .string()
        .regex(/^smtps?:\/\/[^/\s]+/, 'must be an address such as smtps://user:password@mail.example.org')
        .optional(),
      'Mail server for reset links and invitations, such as smtps://user:password@mail.example.org; needs FAIRCOPY_PUBLIC_URL. Without it, pass links on yourself.',
      { secret: true },
    ),
    firstStartFile: setting(
      'FAIRCOPY_FIRST_START_FILE',
      optionalText(),
      'File for the API key and the sign-in link of the first start, instead of standard output; only its owner can read it.',
    ),
    smtpFrom: setting('FAIRCOPY_SMTP_FROM', text('Faircopy <faircopy@localhost>'), 'Sender of that mail.'),
  },
  check: ({ oidcIssuer, oidcClientId, oidcClientSecret }) =>
    oidcIssuer !== undefined && (oidcClientId === undefined || oidcClientSecret === undefined)
      ? ['FAIRCOPY_OIDC_ISSUER: needs FAIRCOPY_OIDC_CLIENT_ID and FAIRCOPY_OIDC_CLIENT_SECRET too']
      : [],
});
