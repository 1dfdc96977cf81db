// Timed words, segments, subtitles and corrections of a transcript.
export { SENTENCE_ENDS } from './breaks.ts';
export { commonSubsequence } from './common-subsequence.ts';
export * from './corrections.ts';
export * from './edited-text.ts';
export { isFunctionWord } from './function-words.ts';
export * from './search/excerpts.ts';
export * from './segments.ts';
export * from './speaker-edits.ts';
export * from './speakers/paragraphs.ts';
export * from './speakers/speaker-label.ts';
export { locate } from './spoken-timeline.ts';
export * from './subtitle-files.ts';
export * from './subtitles.ts';
export * from './types.ts';
export * from './written-words.ts';
