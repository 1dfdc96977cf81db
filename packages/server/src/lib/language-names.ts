// English language names in lower case, as OpenAI writes them, and their codes.

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

export const languageName = (code: string): string => names.of(code)?.toLowerCase() ?? code;

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
