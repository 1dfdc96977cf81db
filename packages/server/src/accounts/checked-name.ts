// Validates names: text of bounded length that every database and terminal can hold.
import { Fault } from '../lib/fault.ts';

const NAME_CHARACTERS_MAX = 200;

/** Control characters of C0 and C1, delete included: no name needs them, and PostgreSQL cannot store a NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** The text as it came, or a fault that says what is wrong with it. `what` begins the sentence: "The account's name". */
export const checkedName = (what: string, text: string, charactersMax = NAME_CHARACTERS_MAX): string => {
  const refuse = (why: string) => new Fault('INVALID_REQUEST', { message: `${what} ${why}.` });
  if (text.trim() === '') throw refuse('must not be empty');
  // Counted in UTF-16 units first, so that a huge text is refused without being walked through.
  if (text.length > charactersMax * 2 || [...text].length > charactersMax)
    throw refuse(`must have at most ${charactersMax} characters`);
  if (LONE_SURROGATE.test(text)) throw refuse('must be well-formed Unicode');
  if (CONTROL.test(text)) throw refuse('must not contain control characters');
  return text;
};
