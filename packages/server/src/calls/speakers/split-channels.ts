// The wish to transcribe each channel by itself, checked alike for every endpoint.
import type { Include } from '@faircopy/contract';
import { invalidRequest } from '../../lib/fault.ts';

export interface SplitChannels {
  /** Of the channels, from the first on. */
  readonly names: readonly string[];
}

const NAMES_MAX = 8;
const NAME_CHARACTERS_MAX = 100;

export const splitOf = (text: string): boolean => {
  if (text === 'split') return true;
  if (text === '' || text === 'mix') return false;
  throw invalidRequest('The field "channels" must be split or mix.', 'channels');
};

/** Names with commas between them, such as `agent,customer`. */
export const channelNamesOf = (text: string): readonly string[] => {
  const names = text.split(',').map((name) => name.trim());
  const isFine = (name: string) => name !== '' && name.length <= NAME_CHARACTERS_MAX && !/\p{Cc}/u.test(name);
  if (names.length <= NAMES_MAX && names.every(isFine)) return names;
  throw invalidRequest(`The field "channel_names" may have up to ${NAMES_MAX} names with commas.`, 'channel_names');
};

/** Words of the merged text are those of the refined one. */
export const refuseUnsplit = (include: ReadonlySet<Include>): void => {
  if (include.has('raw') || include.has('edits'))
    throw invalidRequest('With channels by themselves, "include" may name segments and words.', 'include');
};

/** Undefined when the channels are mixed. Names ask for the channels by themselves. */
export const splitChannelsOf = (isSplit: boolean | undefined, names: readonly string[]): SplitChannels | undefined => {
  if (isSplit === false && names.length > 0)
    throw invalidRequest('The field "channel_names" contradicts "channels", which is mix.', 'channel_names');
  return isSplit || names.length > 0 ? { names } : undefined;
};
