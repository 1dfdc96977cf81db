// Open streams: time from close to result, and how the cost grows with their number.
import { clipsOfLength } from '../clips.ts';
import { type Cell, markdownTable } from '../markdown-table.ts';
import { pcm16 } from '../pcm-speech.ts';
import { startServer } from '../server-process.ts';
import { FRAME_MS, measureStreams } from '../stream-latency.ts';
import { NO_TIMEOUTS, type Section } from './section.ts';

const SECONDS_MAX = 30;
const ROUNDS_ALONE_MAX = 3;

export const streams: Section = {
  title: 'Streams',
  about:
    `English, up to ${SECONDS_MAX} s each in frames of ${FRAME_MS} ms in real time, as many streams at once as there are clients; ` +
    'closed during speech, and after a silence. *File* is file mode on the same audio.',
  async run(context) {
    const rows: Record<string, Cell>[] = [];
    const seconds = Math.min(SECONDS_MAX, Math.max(...context.lengths));
    const speech = pcm16(clipsOfLength(context.languages[0]!.sentences, seconds, 1)[0]!.samples);
    for (const model of context.tiers) {
      const server = await startServer('real', { ...NO_TIMEOUTS, FAIRCOPY_MODELS: model });
      try {
        const roundsAlone = Math.min(ROUNDS_ALONE_MAX, context.rounds);
        const run = { model, speech, counts: context.clients, roundsAlone };
        rows.push(...(await measureStreams(server, run, context.log)));
      } finally {
        await server.stop();
      }
    }
    if (rows.some(({ failed }) => failed !== 0)) process.exitCode = 1;
    return markdownTable(rows);
  },
};
