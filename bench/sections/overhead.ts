// Overhead: start-up time, idle CPU, and the cost of an 11 s clip outside the recognisers.
import { setTimeout as later } from 'node:timers/promises';
import type { ModelId } from '@faircopy/contract';
import { postClips } from '../clients.ts';
import { clipsOfLength } from '../clips.ts';
import { type Cell, markdownTable } from '../markdown-table.ts';
import { costBetween } from '../process-cost.ts';
import { startServer } from '../server-process.ts';
import { megabytes } from '../statistics.ts';
import { type Context, NO_TIMEOUTS, type Section } from './section.ts';

const CLIP_SECONDS = 11;
const IDLE_SECONDS = 10;
/** With the default 8 rounds, the first pass has 24 clips: the main process's code is compiled after about twenty. */
const CLIPS_PER_ROUND = 3;

const percent = (part: number, whole: number): string => ((100 * part) / whole).toFixed(1);

/** Measured in a separate start, because counting adds to the cost of the calls. */
const modelLoadMs = async (tier: ModelId): Promise<number> => {
  const server = await startServer('real', { ...NO_TIMEOUTS, FAIRCOPY_MODELS: tier }, { countModelCalls: true });
  try {
    return (await server.modelBaseline())?.loadMs ?? Number.NaN;
  } finally {
    await server.stop();
  }
};

const measure = async (context: Context, tier: ModelId): Promise<Record<string, Cell>> => {
  const loadMs = await modelLoadMs(tier);
  const server = await startServer('real', { ...NO_TIMEOUTS, FAIRCOPY_MODELS: tier });
  try {
    const idleSeconds = Math.min(IDLE_SECONDS, context.rounds);
    // Compilation and garbage collection after the start are not idle CPU.
    await later(idleSeconds * 500);
    const atRest = await server.cost();
    // Every process uses CPU time to start, so a role without any was not found.
    if (Object.values(atRest.cpuSecondsOf).includes(0)) throw new Error('a process of the service was not found');
    await later(idleSeconds * 1000);
    const idle = costBetween(atRest, await server.cost());
    const count = context.rounds * CLIPS_PER_ROUND;
    const clips = clipsOfLength(context.languages[0]!.sentences, CLIP_SECONDS, count);
    // The first pass is a warm-up: its code is not compiled and its memory not allocated yet.
    await postClips(server, tier, clips, 1);
    const { cost, audioSeconds, failures } = await postClips(server, tier, [...clips, ...clips], 1);
    if (failures.length > 0) process.exitCode = 1;
    const { server: serving, voice, recognisers } = cost.cpuSecondsOf;
    return {
      tier,
      'ready ms': Math.round(server.readyMs),
      'model load ms': Math.round(loadMs),
      'idle CPU %': percent(idle.cpuSeconds, idleSeconds),
      'RSS MB': megabytes(cost.rssBytes),
      'CPU s/s': (cost.cpuSeconds / audioSeconds).toFixed(4),
      'recognisers %': percent(recognisers, cost.cpuSeconds),
      'voice %': percent(voice, cost.cpuSeconds),
      'server %': percent(serving, cost.cpuSeconds),
    };
  } finally {
    await server.stop();
  }
};

export const overhead: Section = {
  title: 'Overhead outside recognition',
  about:
    `English clips of ${CLIP_SECONDS} s as wav, one client. *Server* is the main process with its threads: HTTP, upload, ` +
    'demuxing, decoding, planning, refinement, ledger; *voice* is the process of the voice model. *Model load* is the ' +
    'time that a recogniser takes to open its sessions; *ready* is the time from the start of the command to the first key.',
  async run(context) {
    const rows: Record<string, Cell>[] = [];
    for (const tier of context.tiers) {
      rows.push(await measure(context, tier));
      context.log(JSON.stringify(rows.at(-1)));
    }
    return markdownTable(rows);
  },
};
