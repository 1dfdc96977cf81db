// The text as it stands, as a file: plain, as subtitles, or with everything behind it.
import { srtOf, subtitles, vttOf } from '@faircopy/transcript';
import type { Job } from '../jobs.ts';
import { heldChanges, textOf, type Work, wordsOf } from './model.ts';

const seconds = (ms: number): number => Math.round(ms) / 1000;

const jsonOf = (work: Work, { state }: Job): string => {
  const words = wordsOf(work).map(({ text, startMs, endMs, confidence }) => ({
    ...{ text, start_seconds: seconds(startMs), end_seconds: seconds(endMs), confidence },
  }));
  const changes = heldChanges(work).map(({ kind, reason, before, after, rawStart, rawEnd }) => ({
    ...{ kind, reason, before, after, raw_start: rawStart, raw_end: rawEnd },
  }));
  const facts =
    state.name === 'answered'
      ? { request_id: state.answer.request_id, duration_seconds: state.answer.result.duration_seconds }
      : {};
  return `${JSON.stringify(
    { ...facts, transcript: textOf(work), language: work.heard.language, raw: work.heard.rawText, changes, words },
    null,
    2,
  )}\n`;
};

const FORMATS = {
  txt: ['text/plain', (work: Work) => `${textOf(work)}\n`],
  srt: ['application/x-subrip', (work: Work) => srtOf(subtitles(wordsOf(work)))],
  vtt: ['text/vtt', (work: Work) => vttOf(subtitles(wordsOf(work)))],
  json: ['application/json', jsonOf],
} as const satisfies Record<string, readonly [string, (work: Work, job: Job) => string]>;
type Format = keyof typeof FORMATS;

const save = (text: string, type: string, name: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};

export const Downloads = ({ work, job }: { work: Work; job: Job }) => {
  const base = job.name.replace(/\.[^.]+$/, '').replaceAll(/[\\/:*?"<>|]/g, '-') || 'transcript';
  return (
    <fieldset class="downloads">
      <legend class="quiet small">Download</legend>
      {(Object.keys(FORMATS) as Format[]).map((format) => {
        const [type, render] = FORMATS[format];
        return (
          <button key={format} type="button" onClick={() => save(render(work, job), type, `${base}.${format}`)}>
            {format}
          </button>
        );
      })}
    </fieldset>
  );
};
