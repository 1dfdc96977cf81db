// English language names in lower case, as OpenAI writes them, and their codes.
import { LANGUAGES } from '@faircopy/contract/values';
import { invalidRequest } from './fault.ts';

let displayNames: Intl.DisplayNames | undefined;

/** Loaded on demand: it takes 50 ms, and most commands do not need the names. */
const nameOf = (code: string): string | undefined => {
  displayNames ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  return displayNames.of(code)?.toLowerCase();
};

export const languageName = (code: string): string => nameOf(code) ?? code;

let codes: ReadonlyMap<string, string> | undefined;

const codesByName = (): ReadonlyMap<string, string> => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const all = letters.flatMap((first) => letters.map((second) => first + second));
  // The first code of a name wins: some languages also have an old code.
  const named = all
    .map((code) => [nameOf(code), code] as const)
    .filter((pair): pair is [string, string] => pair[0] !== undefined);
  return new Map(named.reverse());
};

/** The code of a name; other text unchanged. */
export const languageCode = (text: string): string => {
  codes ??= codesByName();
  return codes.get(text.trim().toLowerCase()) ?? text;
};

/** Alternative codes of recognised languages. */
const ALIASES: Readonly<Record<string, string>> = { iw: 'he', in: 'id', ji: 'yi', jw: 'jv', nb: 'no', fil: 'tl' };

/** The recognised language of a code, tag or name such as de, de-AT or German; null if it is not recognised. */
export const recognisedLanguage = (text: string): string | null => {
  const code = languageCode(text).trim().split(/[-_]/)[0]!.toLowerCase();
  const known = Object.hasOwn(ALIASES, code) ? ALIASES[code]! : code;
  return LANGUAGES.includes(known) ? known : null;
};

/** `de,en`, or several such lists, as codes. Throws INVALID_REQUEST for an unknown language. */
export const languagesOf = (texts: string | readonly string[], field = 'languages'): readonly string[] => {
  const names = [texts]
    .flat()
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const codes = names.map((name) => {
    const code = recognisedLanguage(name);
    if (code !== null) return code;
    throw invalidRequest(
      `"${field}": "${name.slice(0, 20)}" is not a supported language. Supported: ${LANGUAGES.join(', ')}.`,
      field,
    );
  });
  return [...new Set(codes)];
};
