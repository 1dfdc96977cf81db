// English language names in lower case, as OpenAI writes them, and their codes.

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

export const languageName = (code: string): string => names.of(code)?.toLowerCase() ?? code;

/** The language of a tag such as de or de-AT; null if there is no such language. */
export const languageCodeOf = (tag: string): string | null => {
  const code = languageCode(tag).trim().split(/[-_]/)[0]!.toLowerCase();
  return /^[a-z]{2,3}$/.test(code) && names.of(code) ? code : null;
};

let codes: ReadonlyMap<string, string> | undefined;

const codesByName = (): ReadonlyMap<string, string> => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const all = letters.flatMap((first) => letters.map((second) => first + second));
  // The first code of a name wins: some languages have an old one too.
  return new Map(all.flatMap((code) => (names.of(code) ? [[languageName(code), code] as const] : [])).reverse());
};

/** The code of a name; other text unchanged. */
export const languageCode = (text: string): string => {
  codes ??= codesByName();
  return codes.get(text.trim().toLowerCase()) ?? text;
};
