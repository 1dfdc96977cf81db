// Child process that loads one model, transcribes speech with it twice and reports the speed of the second run.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import { compiledFolder } from '../acoustic/compiled-files.ts';
import { acousticFamily } from '../acoustic/families.ts';
import { useExecution } from '../acoustic/open-session.ts';
import type { SpeedQuestion } from './measure-model.ts';

// The parent is gone, so the result is not needed.
process.on('disconnect', () => process.exit(1));

process.once('message', async ({ id, family, folder, languages, threads, execution, samples }: SpeedQuestion) => {
  useExecution(execution, () => undefined);
  const { load } = await acousticFamily(family);
  const model = await load({ id, folder, compiledFolder: compiledFolder(folder), threads, languages });
  const language = model.languages.has('en') ? 'en' : ([...model.languages][0] ?? 'en');
  const read = async (): Promise<number> => {
    const startedMs = performance.now();
    const speech = await model.encode(samples);
    await speech.transcribe({ language, checkpoint: () => undefined });
    return performance.now() - startedMs;
  };
  // The first run is slower: buffers are allocated, code is compiled.
  await read();
  const speed = samples.length / SAMPLE_RATE_HZ / ((await read()) / 1000);
  await model.close();
  process.send?.(speed, () => process.exit(0));
});
