// Mixed load: files from several clients while streams run in real time. Measures event-loop lag and file latency.
import { clientOf, postClips } from '../clients.ts';
import { type Clip, clipsOfLength } from '../clips.ts';
import { type Cell, markdownTable } from '../markdown-table.ts';
import { pcm16 } from '../pcm-speech.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { percentile } from '../statistics.ts';
import { framesOf, streamInRealTime } from '../stream-latency.ts';
import { NO_TIMEOUTS, type Section } from './section.ts';

const FILE_SECONDS_MAX = 30;
/** The lag histogram of the service includes the interval of its own timer. */
const LAG_TIMER_MS = 10;

/** The frames of the clip, repeated until `isOver`. */
function* framesUntil(clip: Clip, isOver: () => boolean): Generator<Buffer> {
  const audio = pcm16(clip.samples);
  for (;;) {
    for (const frame of framesOf(audio)) {
      if (isOver()) return;
      yield frame;
    }
  }
}

const lagOf = async (server: ServerProcess, name: string): Promise<number> =>
  (await server.metric(`nodejs_eventloop_lag_${name}_seconds`)) * 1000 - LAG_TIMER_MS;

export const mixedLoad: Section = {
  title: 'Mixed load: files and streams together',
  about:
    `Clips of up to ${FILE_SECONDS_MAX} s posted by clients while streams run in real time. Lag is that of the event ` +
    "loop of the service's main process (`nodejs_eventloop_lag_*`, minus the 10 ms interval of its own timer).",
  async run(context) {
    const rows: Record<string, Cell>[] = [];
    const { sentences } = context.languages[0]!;
    const most = Math.max(...context.clients);
    const seconds = Math.min(FILE_SECONDS_MAX, Math.max(...context.lengths));
    for (const tier of context.tiers) {
      const server = await startServer('real', { ...NO_TIMEOUTS, FAIRCOPY_MODELS: tier });
      try {
        const clips = clipsOfLength(sentences, seconds, most * 2);
        await postClips(server, tier, clips.slice(0, 1), 1);
        for (const streams of [0, most]) {
          let isOver = false;
          const running = clipsOfLength(sentences, seconds, most)
            .slice(0, streams)
            .map((clip) =>
              streamInRealTime(
                clientOf(server),
                tier,
                framesUntil(clip, () => isOver),
              ),
            );
          const settled = Promise.allSettled(running);
          await server.metric('nodejs_eventloop_lag_p99_seconds'); // Reading resets the histogram.
          const posted = await postClips(server, tier, clips, most);
          const p99Ms = await lagOf(server, 'p99');
          isOver = true;
          const closings = (await settled).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
          rows.push({
            tier,
            'parallel files': most,
            'file s': seconds,
            streams,
            'lag p99 ms': p99Ms.toFixed(1),
            'files wall s/s': (posted.wallSeconds / posted.audioSeconds).toFixed(3),
            'file p50 ms': Math.round(percentile(posted.latencyMs, 0.5)),
            'stream close→result p50 ms': closings.length > 0 ? Math.round(percentile(closings, 0.5)) : '–',
            'CPU s (all)': posted.cost.cpuSeconds.toFixed(1),
            failed: posted.failures.length + streams - closings.length,
          });
          context.log(JSON.stringify(rows.at(-1)));
        }
      } finally {
        await server.stop();
      }
    }
    if (rows.some(({ failed }) => failed !== 0)) process.exitCode = 1;
    return markdownTable(rows);
  },
};
