// Measures how fast one model reads speech, in a process of its own: nothing else runs there, and its memory goes back.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programUrl } from '../../lib/process/programs.ts';
import type { Execution } from '../acoustic/open-session.ts';

const ENTRY = fileURLToPath(programUrl('speech/speed/measure-entry'));
const STDERR_CHARS_MAX = 4_000;

export interface SpeedQuestion {
  readonly id: string;
  readonly family: string;
  readonly folder: string;
  readonly languages?: readonly string[] | undefined;
  /** Threads of the encoder. */
  readonly threads: number;
  readonly execution: Execution;
  /** Speech, as long as a window at most. */
  readonly samples: Float32Array;
}

/** Seconds of speech read per second. */
export const measureModel = (question: SpeedQuestion): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = fork(ENTRY, [], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let stderr = '';
    let speed: number | undefined;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_CHARS_MAX);
    });
    child.on('message', (answer: number) => {
      speed = answer;
    });
    child.on('error', reject);
    child.on('close', (code, killedBy) => {
      if (speed !== undefined) resolve(speed);
      else reject(new Error(`Measuring ${question.id} failed (${killedBy ?? `exit ${code}`}). ${stderr.trim()}`));
    });
    child.send(question);
  });
