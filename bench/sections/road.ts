// The rest of the road: start-up, idling, and what an 11 s clip costs outside the recognisers.
import { setTimeout as later } from 'node:timers/promises';
import type { ModelId } from '@faircopy/contract';
import { postClips } from '../clients.ts';
import { clipsOfLength } from '../clips.ts';
import { megabytes } from '../figures.ts';
import { openRaw } from '../floor.ts';
import { spent } from '../process-cost.ts';
import { startServer } from '../server-child.ts';
import { type Cell, markdownTable } from '../table.ts';
import { type Context, PATIENT, type Section } from './context.ts';

const CLIP_SECONDS = 11;
const IDLE_SECONDS = 10;
/** It takes some twenty clips until the code of the main process is compiled. */
const CLIPS_PER_ROUND = 3;

const percent = (part: number, whole: number): string => ((100 * part) / whole).toFixed(1);

const measure = async (context: Context, tier: ModelId): Promise<Record<string, Cell>> => {
  const { raw, loads } = await openRaw([tier]);
  await raw.stop();
  const server = await startServer('real', { ...PATIENT, FAIRCOPY_MODELS: tier });
  try {
    const idleSeconds = Math.min(IDLE_SECONDS, context.rounds);
    // What a start leaves behind, compiling and collecting, is not idling.
    await later(idleSeconds * 500);
    const rest = await server.cost();
    await later(idleSeconds * 1000);
    const idle = spent(rest, await server.cost());
    const count = context.rounds * CLIPS_PER_ROUND;
    const clips = clipsOfLength(context.languages[0]!.sentences, CLIP_SECONDS, count);
    // Once without counting: code that is not yet compiled and pages not yet touched are no part of the steady cost.
    await postClips(server, tier, clips, 1);
    const { cost, audioSeconds, failures } = await postClips(server, tier, [...clips, ...clips], 1);
    if (failures.length > 0) process.exitCode = 1;
    const { server: serving, voice, recognisers } = cost.cpuSecondsOf;
    return {
      tier,
      'ready ms': Math.round(server.readyMs),
      'sessions load ms': Math.round(loads.recognition.loads.wallMs + loads.voice.loads.wallMs),
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

export const road: Section = {
  title: 'The rest of the road',
  about:
    `English clips of ${CLIP_SECONDS} s as wav, one client. *Server* is the main process with its threads: HTTP, upload, ` +
    'demuxing, decoding, planning, refinement, ledger; *voice* is the process of the voice model. *Sessions load* is ' +
    'the time to open the same models in a bare process; *ready* is from the start of the command to the first key.',
  async run(context) {
    const rows: Record<string, Cell>[] = [];
    for (const tier of context.tiers) {
      rows.push(await measure(context, tier));
      context.say(JSON.stringify(rows.at(-1)));
    }
    return markdownTable(rows);
  },
};
