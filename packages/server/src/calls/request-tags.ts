// Validates the tags that a caller sent with a request.
import { distinctTags, requestTags } from '@faircopy/contract';
import { invalidRequest } from '../lib/fault.ts';

/** Throws INVALID_REQUEST that names the field, which is `tag` at every endpoint. */
export const readTags = (written: readonly string[]): readonly string[] => {
  const read = requestTags.safeParse(distinctTags(written));
  if (read.success) return read.data;
  throw invalidRequest(`"tag" is not valid: ${read.error.issues[0]?.message}.`, 'tag');
};
