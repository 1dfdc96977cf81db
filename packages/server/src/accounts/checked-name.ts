// Validates names: bounded length, well-formed Unicode, no control characters.
import { Fault } from '../lib/fault.ts';

const NAME_CHARACTERS_MAX = 200;

/** C0, DEL and C1. PostgreSQL cannot store NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns the text unchanged or throws. `what` starts the message, as in "The account's name". */
export const checkedName = (what: string, text: string, charactersMax = NAME_CHARACTERS_MAX): string => {
  const refuse = (why: string) => new Fault('INVALID_REQUEST', { message: `${what} ${why}.` });
  if (text.trim() === '') throw refuse('must not be empty');
  // Check UTF-16 units first, to reject huge texts without counting characters.
  if (text.length > charactersMax * 2 || [...text].length > charactersMax)
    throw refuse(`must have at most ${charactersMax} characters`);
  if (LONE_SURROGATE.test(text)) throw refuse('must be well-formed Unicode');
  if (CONTROL.test(text)) throw refuse('must not contain control characters');
  return text;
};
