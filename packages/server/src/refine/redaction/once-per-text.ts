// Remembers what a finder found in a text, because several finders build on the same numbers.
import type { SpokenText } from './spoken-text.ts';

export const oncePerText = <Found>(find: (text: SpokenText) => Found): ((text: SpokenText) => Found) => {
  const known = new WeakMap<SpokenText, { readonly found: Found }>();
  return (text) => {
    const before = known.get(text);
    if (before) return before.found;
    const found = find(text);
    known.set(text, { found });
    return found;
  };
};
