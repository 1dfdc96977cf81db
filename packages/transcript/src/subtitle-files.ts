// Subtitle files: SubRip (srt) and WebVTT (vtt).
import type { Cue } from './subtitles.ts';

const clock = (ms: number, fractionMark: string): string => {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const fraction = String(ms % 1_000).padStart(3, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}${fractionMark}${fraction}`;
};

const span = ({ startMs, endMs }: Cue, fractionMark: string): string =>
  `${clock(startMs, fractionMark)} --> ${clock(endMs, fractionMark)}`;

/** A parser would read the arrow as the time line of a cue. */
const withoutArrow = (line: string): string => line.replaceAll('-->', '->');
const escaped = (line: string): string => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const srtOf = (cues: readonly Cue[]): string =>
  cues.map((cue, index) => `${index + 1}\n${span(cue, ',')}\n${cue.lines.map(withoutArrow).join('\n')}\n\n`).join('');

export const vttOf = (cues: readonly Cue[]): string =>
  `WEBVTT\n\n${cues.map((cue) => `${span(cue, '.')}\n${cue.lines.map(escaped).join('\n')}\n\n`).join('')}`;
