// A refiner for tests of the refinement threads: joins the text, or misbehaves when the text asks for it.
import type { Refiner } from '../../refine/refiner.ts';
import { passthroughRefiner } from './passthrough-refiner.ts';

export const createRefiner = (settings: unknown): Refiner => ({
  async refine(input, signal) {
    const { text, ...rest } = await passthroughRefiner.refine(input, signal);
    if (text === 'throw') throw new Error('the secret text');
    if (text === 'spin') for (;;);
    if (text === 'exit') process.exit(3);
    if (text === 'wait') {
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    }
    return { ...rest, text: `${settings}${text}` };
  },
});
