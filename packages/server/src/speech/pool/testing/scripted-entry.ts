// Entry point of a recogniser process whose faults are scripted in each window's vocabulary, to test supervision.
import { RecognitionStopped } from '../../inference.ts';
import type { Recognition, SpeechWindow } from '../../recogniser.ts';
import { recognitionOf } from '../../testing/recogniser-fixtures.ts';
import { serveRecogniser } from '../serve-recogniser.ts';
import { takeFault } from './one-time-faults.ts';

/** Represents transcript text in an error message: it must not leave the process. */
const SECRET = 'what was said';

const recognised = (window: SpeechWindow): Recognition =>
  recognitionOf({
    text: `${window.samples.length} samples in ${window.tier} by ${process.pid}`,
    languages: [{ language: 'en', probability: 1 }],
  });

/** Blocks the thread like a model run, so that no messages are read. */
const block = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

const act = (instruction: string, shouldStop: () => boolean): void => {
  const [verb = '', argument = ''] = instruction.split('=');
  if (verb === 'crash') process.kill(process.pid, 'SIGSEGV');
  if (verb === 'abort') process.abort();
  if (verb === 'throw') throw new TypeError(`the model call failed at "${SECRET}"`);
  if (verb === 'hang') block(600_000);
  if (verb === 'late') block(Number(argument));
  if (verb === 'allocate') {
    const kept: unknown[] = [];
    // Allocate on the JavaScript heap, so that the runtime's limit ends the process.
    for (;;) kept.push(new Array(1e6).fill(kept.length));
  }
  if (verb === 'until-stopped') {
    while (!shouldStop()) block(20);
    throw new RecognitionStopped();
  }
};

serveRecogniser(async ({ modelFolder }) => {
  const folder = modelFolder('faults');
  if (takeFault(folder, 'die-at-load')) process.exit(3);
  if (takeFault(folder, 'fail-at-load')) throw new Error('the model file is not readable');
  return {
    warmUp: async () => {},
    close: async () => {},
    // `once:crash` acts only the first time, in whichever process comes first.
    async recognise(window, shouldStop) {
      for (const { text: term } of window.vocabulary) {
        if (!term.startsWith('once:')) act(term, shouldStop);
        else if (takeFault(folder, term)) act(term.slice(5), shouldStop);
      }
      return recognised(window);
    },
  };
});
