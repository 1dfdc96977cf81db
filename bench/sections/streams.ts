// Open streams: what an answer takes after the close, and how the cost grows with their number.
import { clipsOfLength } from '../clips.ts';
import { startServer } from '../server-child.ts';
import { pcm16 } from '../speech.ts';
import { FRAME_MS, measureStreams } from '../streaming.ts';
import { type Cell, markdownTable } from '../table.ts';
import { PATIENT, type Section } from './context.ts';

const SECONDS_MAX = 30;
const ROUNDS_ALONE_MAX = 3;

export const streams: Section = {
  title: 'Streams',
  about:
    `English, up to ${SECONDS_MAX} s each in frames of ${FRAME_MS} ms at the pace of speech, as many streams at once as there are clients; ` +
    'closed in the middle of speech, and after a silence. *File* is file mode on the same audio.',
  async run(context) {
    const rows: Record<string, Cell>[] = [];
    const seconds = Math.min(SECONDS_MAX, Math.max(...context.lengths));
    const speech = pcm16(clipsOfLength(context.languages[0]!.sentences, seconds, 1)[0]!.samples);
    for (const model of context.tiers) {
      const server = await startServer('real', { ...PATIENT, FAIRCOPY_MODELS: model });
      try {
        const roundsAlone = Math.min(ROUNDS_ALONE_MAX, context.rounds);
        const course = { model, speech, counts: context.clients, roundsAlone };
        rows.push(...(await measureStreams(server, course, context.say)));
      } finally {
        await server.stop();
      }
    }
    if (rows.some(({ failed }) => failed !== 0)) process.exitCode = 1;
    return markdownTable(rows);
  },
};
