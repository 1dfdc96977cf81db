// Options for transcribing each channel separately, checked the same way for every endpoint.
import type { Include } from '@faircopy/contract';
import { invalidRequest } from '../../lib/fault.ts';

export interface SplitChannels {
  /** Names of the channels, from the first on. */
  readonly names: readonly string[];
}

const NAMES_MAX = 8;
const NAME_CHARACTERS_MAX = 100;

export const splitOf = (text: string): boolean => {
  if (text === 'split') return true;
  if (text === '' || text === 'mix') return false;
  throw invalidRequest('The field "channels" must be split or mix.', 'channels');
};

/** Parses comma-separated names, such as `agent,customer`. */
export const channelNamesOf = (text: string): readonly string[] => {
  const names = text.split(',').map((name) => name.trim());
  const isFine = (name: string) => name !== '' && name.length <= NAME_CHARACTERS_MAX && !/\p{Cc}/u.test(name);
  if (names.length <= NAMES_MAX && names.every(isFine)) return names;
  throw invalidRequest(`The field "channel_names" must be up to ${NAMES_MAX} comma-separated names.`, 'channel_names');
};

/** The merged transcript has only refined text, so the raw text and the edits cannot be included. */
export const refuseRawAndEdits = (include: ReadonlySet<Include>): void => {
  if (include.has('raw') || include.has('edits'))
    throw invalidRequest('With split channels, "include" may not name raw or edits.', 'include');
};

/** Undefined when the channels are mixed. Names imply splitting. */
export const splitChannelsOf = (isSplit: boolean | undefined, names: readonly string[]): SplitChannels | undefined => {
  if (isSplit === false && names.length > 0)
    throw invalidRequest('The field "channel_names" contradicts "channels", which is mix.', 'channel_names');
  return isSplit || names.length > 0 ? { names } : undefined;
};
