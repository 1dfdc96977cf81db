// Measures the speed of one model in a separate process, where nothing else runs and whose memory is freed afterwards.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programUrl } from '../../lib/process/programs.ts';
import type { Execution } from '../acoustic/open-session.ts';
import { lastOutput } from '../process/last-output.ts';

const ENTRY = fileURLToPath(programUrl('speech/speed/measure-entry'));

export interface SpeedQuestion {
  readonly id: string;
  readonly family: string;
  readonly folder: string;
  readonly languages?: readonly string[] | undefined;
  /** Encoder threads. */
  readonly threads: number;
  readonly execution: Execution;
  /** At most one window of speech. */
  readonly samples: Float32Array;
}

/** Seconds of speech transcribed per second. */
export const measureModel = (question: SpeedQuestion): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = fork(ENTRY, [], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const stderrOf = lastOutput(child.stderr);
    let speed: number | undefined;
    child.on('message', (answer: number) => {
      speed = answer;
    });
    child.on('error', reject);
    child.on('close', (code, killedBy) => {
      if (speed !== undefined) resolve(speed);
      else reject(new Error(`Measuring ${question.id} failed (${killedBy ?? `exit ${code}`}). ${stderrOf()}`));
    });
    child.send(question);
  });
