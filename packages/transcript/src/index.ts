// Everything that turns a transcript into another form of it.
export * from './corrections.ts';
export * from './segments.ts';
export * from './subtitle-files.ts';
export * from './subtitles.ts';
export * from './types.ts';
export * from './written-words.ts';
