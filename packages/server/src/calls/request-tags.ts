// Tags of a request, as callers write them.
import { distinctTags, requestTags } from '@faircopy/contract';
import { invalidRequest } from '../lib/fault.ts';

/** Throws INVALID_REQUEST with the field. */
export const readTags = (written: readonly string[], name: string): readonly string[] => {
  const read = requestTags.safeParse(distinctTags(written));
  if (read.success) return read.data;
  throw invalidRequest(`"${name}" is not valid: ${read.error.issues[0]?.message}.`, name);
};
