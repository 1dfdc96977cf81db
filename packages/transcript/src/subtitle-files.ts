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

/** The name of a speaker, on one line. */
export type NameOf = (speaker: number) => string;

/** With names, a cue starts with the speaker's name whenever the speaker changes. */
export const srtOf = (cues: readonly Cue[], nameOf?: NameOf): string =>
  cues
    .map((cue, index) => {
      const isChange = cue.speaker !== null && cue.speaker !== cues[index - 1]?.speaker;
      const name = nameOf && isChange ? `${nameOf(cue.speaker)}: ` : '';
      const text = withoutArrow(name + cue.lines.join('\n'));
      return `${index + 1}\n${span(cue, ',')}\n${text}\n\n`;
    })
    .join('');

/** With names, each cue has a voice span. */
export const vttOf = (cues: readonly Cue[], nameOf?: NameOf): string => {
  const voiceOf = ({ speaker }: Cue): string => (nameOf && speaker !== null ? `<v ${escaped(nameOf(speaker))}>` : '');
  return `WEBVTT\n\n${cues.map((cue) => `${span(cue, '.')}\n${voiceOf(cue)}${cue.lines.map(escaped).join('\n')}\n\n`).join('')}`;
};
