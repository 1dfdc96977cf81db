// Environment variables that look like a setting and are none.

import { nearest } from '../lib/nearest-name.ts';
import { SETTINGS } from './config.ts';

const PREFIX = 'FAIRCOPY_';

/** Read by the command line, the tests and the scripts rather than by the server. */
const OTHERS = [
  ...['FAIRCOPY_URL', 'FAIRCOPY_API_KEY', 'FAIRCOPY_CHROMIUM', 'FAIRCOPY_SPEECH_FILE'],
  ...['FAIRCOPY_TEST_DATABASE_URL', 'FAIRCOPY_REQUIRE_POSTGRES', 'FAIRCOPY_REQUIRE_MODELS', 'FAIRCOPY_REQUIRE_BROWSER'],
];

export interface Mistyped {
  readonly name: string;
  readonly meant: string;
}

/** Only what is near a known name: others set variables that begin like ours too, such as Kubernetes for a service. */
export const mistypedSettings = (env: Readonly<Record<string, string | undefined>>): Mistyped[] => {
  const settings = Object.values(SETTINGS).map(({ env: name }) => name);
  const known = new Set([...settings, ...OTHERS]);
  const names = settings.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name))
    .flatMap((name) => {
      // Without what all of them begin with: it is no sign that two names are alike.
      const meant = nearest(name.slice(PREFIX.length), names);
      return meant === null ? [] : [{ name, meant: `${PREFIX}${meant}` }];
    });
};
