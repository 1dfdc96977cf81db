// Computes the languages that a request may be in: those that the request, its key and its account all allow.
import { Fault, invalidRequest } from '../lib/fault.ts';
import { recognisedLanguage } from '../lib/language-names.ts';
import type { Principal } from './principal.ts';

export interface AskedLanguages {
  /** Empty: any. */
  readonly languages?: readonly string[] | undefined;
  readonly languageHint: string | undefined;
}

export const languagesText = (codes: readonly string[]): string | null => (codes.length === 0 ? null : codes.join(','));

export const storedLanguages = (text: string | null): readonly string[] => text?.split(',') ?? [];

/**
 * The languages that detection chooses from; undefined: any. Throws INVALID_REQUEST if "language" is not among
 * "languages", and FORBIDDEN if the key or the account allows none of the requested languages.
 */
export const allowedLanguages = (
  { rules, languages: ofAccount }: Pick<Principal, 'rules' | 'languages'>,
  { languages: asked = [], languageHint }: AskedLanguages,
): readonly string[] | undefined => {
  const hint = languageHint === undefined ? null : recognisedLanguage(languageHint);
  if (hint !== null && asked.length > 0 && !asked.includes(hint))
    throw invalidRequest(`"language" is ${hint}, which is not among "languages": ${asked.join(', ')}.`, 'language');
  let allowed = asked;
  for (const [owner, limit] of [
    ['API key', rules.languages ?? []],
    ['account', ofAccount],
  ] as const) {
    if (limit.length === 0) continue;
    // Rules of an earlier release may use other codes.
    const codes = limit.flatMap((name) => recognisedLanguage(name) ?? []);
    const refuse = (languages: readonly string[]): Fault =>
      new Fault('FORBIDDEN', {
        message: `This ${owner} may not use the language ${languages.join(', ')}. It is limited to ${limit.join(', ')}.`,
      });
    if (hint !== null && !codes.includes(hint)) throw refuse([hint]);
    const left = allowed.length === 0 ? codes : allowed.filter((code) => codes.includes(code));
    if (left.length === 0) throw refuse(allowed);
    allowed = left;
  }
  return allowed.length === 0 ? undefined : allowed;
};
