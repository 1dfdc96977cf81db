// An excerpt of a text, with the found words marked.
import { occurrences } from '@faircopy/transcript';
import type { ComponentChildren } from 'preact';

export const Excerpt = ({ text, words }: { text: string; words: string }) => {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const at of occurrences(text, words)) {
    parts.push(text.slice(end, at));
    end = at + words.trim().length;
    parts.push(<mark key={at}>{text.slice(at, end)}</mark>);
  }
  return (
    <span dir="auto">
      {parts}
      {text.slice(end)}
    </span>
  );
};
