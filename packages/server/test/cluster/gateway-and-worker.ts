// A gateway and workers in this process, with a real NATS and scripted recognisers.
import { setTimeout as wait } from 'node:timers/promises';
import { type Config, parseConfig } from '../../src/app/config.ts';
import { createWorker, type Worker } from '../../src/app/worker.ts';
import { createLog, type Log } from '../../src/observability/log.ts';
import type { Recogniser } from '../../src/speech/recogniser.ts';
import { RecogniserSet } from '../../src/speech/recogniser-set.ts';
import { EnergyProbe } from '../../src/speech/testing/energy-probe.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { ToneSpeakers } from '../../src/speech/testing/tone-speakers.ts';
import { type Ending, type Service, startService } from '../http/service.ts';

export interface Lines {
  readonly log: Log;
  readonly lines: Record<string, unknown>[];
}

const recordedLog = (): Lines => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ logLevel: 'info' }, { write: (line) => lines.push(JSON.parse(line)) });
  return { log, lines };
};

/** A server without recognisers of its own. */
export const startGateway = async (
  t: Ending,
  natsUrl: string,
  config: Partial<Config> = {},
): Promise<Service & Lines> => {
  const recorded = recordedLog();
  const service = await startService(t, {
    config: { natsUrl: [natsUrl], recognisers: 'none', ...config },
    overrides: {
      log: recorded.log,
      engine: (workers) => ({
        recogniser: new RecogniserSet({ ...(workers && { workers }) }),
        speakers: new ToneSpeakers(),
        openVoiceProbe: () => new EnergyProbe(),
        ready: async () => {},
        close: async () => workers?.close(),
      }),
    },
  });
  return { ...service, ...recorded };
};

export interface StartedWorker extends Lines {
  readonly worker: Worker;
  readonly url: string;
}

export const startWorker = async (
  t: Ending,
  natsUrl: string,
  env: Record<string, string>,
  recogniser: Recogniser = new ScriptedEngine({ slots: 2 }).recogniser,
): Promise<StartedWorker> => {
  const recorded = recordedLog();
  const worker = await createWorker(parseConfig({ PORT: '0', NATS_URL: natsUrl, ...env }), {
    log: recorded.log,
    recogniser: Object.assign(recogniser, { load: async () => {} }),
  });
  t.after(() => worker.close());
  const url = await worker.listen();
  await worker.warm();
  return { worker, url, ...recorded };
};

export interface Readiness {
  readonly code: number;
  readonly status: string;
  readonly message?: string;
}

export const readinessOf = async (url: string): Promise<Readiness> => {
  const response = await fetch(`${url}/readyz`);
  return { code: response.status, ...((await response.json()) as { status: string; message?: string }) };
};

/** Asks until the answer is as expected. */
export const until = async <T>(ask: () => Promise<T> | T, isThere: (answer: T) => boolean): Promise<T> => {
  for (const deadline = Date.now() + 30_000; ; await wait(50)) {
    const answer = await ask();
    if (isThere(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(answer)}`);
  }
};

/** The samples of a metrics page by name and labels. */
export const samplesOf = (page: string): ReadonlyMap<string, number> =>
  new Map(
    [...page.matchAll(/^([a-z_]+(?:\{[^}]*\})?) (\S+)$/gm)].map(([, name, value]) => [name!, Number(value)] as const),
  );
