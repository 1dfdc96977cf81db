// Finds words in a text, also in scripts without spaces between words.

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

const CHUNK = /\S+/gu;
/** Scripts without spaces: Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
const WITHOUT_SPACES =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u3000-\u303f\uff00-\uffef]/u;
const OPENING = /^[\p{Ps}\p{Pi}]+$/u;

let segmenter: Intl.Segmenter | undefined;

/** Splits text without spaces into words; punctuation is part of the word it belongs to. */
const splitChunk = (text: string, offset: number): TextSpan[] => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  const spans: { start: number; end: number; isWord: boolean }[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    const start = offset + index;
    const end = start + segment.length;
    const last = spans.at(-1);
    const joins = last !== undefined && (last.isWord ? !isWordLike && !OPENING.test(segment) : true);
    if (joins) {
      last.end = end;
      last.isWord ||= isWordLike === true;
    } else spans.push({ start, end, isWord: isWordLike === true });
  }
  // Opening punctuation at the very end has no following word.
  const last = spans.at(-1);
  const before = spans.at(-2);
  if (last && before && !last.isWord) {
    before.end = last.end;
    spans.pop();
  }
  return spans;
};

/** The words of a text, with their punctuation. */
export const wordSpans = (text: string): TextSpan[] => {
  const spans: TextSpan[] = [];
  for (const { 0: chunk, index } of text.matchAll(CHUNK)) {
    if (WITHOUT_SPACES.test(chunk)) spans.push(...splitChunk(chunk, index));
    else spans.push({ start: index, end: index + chunk.length });
  }
  return spans;
};
