// Detects shell or program text, which the passes for prose must not touch.
import type { Token } from './token.ts';

/** True for pasted code: nobody dictates these operators and flags. */
export const looksLikeCode = (tokens: readonly Token[]): boolean =>
  tokens.some(({ core }) => /^(?:&&|\|\||=>|[=!]==?|--?[a-z][\w-]*)$/u.test(core));
