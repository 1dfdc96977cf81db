// Measures the subtitles in a folder of .srt files: how cues end, how long they are shown and how wide they are.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFunctionWord, SUBTITLE_LIMITS } from '../packages/transcript/dist/src/index.js';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Usage: npm run eval:subtitles -- FOLDER');
  process.exit(64);
}

const SHARE_MAX = 0.02;
const msOf = (time) => {
  const [hours, minutes, seconds, ms] = time.split(/[:,]/).map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
};

const cues = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith('.srt'))
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split(/\n\n+/))
  .filter((block) => block.includes('-->'))
  .map((block) => {
    const [, times, ...lines] = block.split('\n');
    const [start, end] = times.split(' --> ').map(msOf);
    return { lengthMs: end - start, lines };
  });

const { cueMsMin, cueMsMax, lineColumnsMax, linesMax } = SUBTITLE_LIMITS;
const count = (isFault) => cues.filter(isFault).length;
const faults = {
  'end with an article, a preposition or a conjunction': count(({ lines }) =>
    isFunctionWord(lines.at(-1).split(' ').at(-1)),
  ),
  [`shown for less than ${cueMsMin} ms`]: count(({ lengthMs }) => lengthMs < cueMsMin),
  [`shown for more than ${cueMsMax} ms`]: count(({ lengthMs }) => lengthMs > cueMsMax),
  [`more than ${linesMax} lines`]: count(({ lines }) => lines.length > linesMax),
  [`a line of more than ${lineColumnsMax} characters`]: count(({ lines }) =>
    lines.some((line) => [...line].length > lineColumnsMax),
  ),
};
console.log(`| ${cues.length} cues | count | share |\n|---|---|---|`);
for (const [name, number] of Object.entries(faults))
  console.log(`| ${name} | ${number} | ${((100 * number) / Math.max(1, cues.length)).toFixed(2)} % |`);
const [ends, ...others] = Object.values(faults);
process.exitCode = cues.length > 0 && ends <= SHARE_MAX * cues.length && others.every((number) => number === 0) ? 0 : 1;
