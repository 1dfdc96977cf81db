// Tells shell or program text from speech.
import type { Token } from './token.ts';

/** Text that somebody pasted: nobody says these signs. */
export const looksLikeCode = (tokens: readonly Token[]): boolean =>
  tokens.some(({ core }) => /^(?:&&|\|\||=>|[=!]==?|--?[a-z][\w-]*)$/u.test(core));
