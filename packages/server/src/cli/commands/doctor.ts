// `faircopy doctor`: measures for half a minute how much audio this machine can handle.
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import { wholeNumber } from '../arguments.ts';
import { StatusLine } from '../client/status-line.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { busyNotice, describeFindings, type Findings } from '../doctor/findings.ts';
import type { TierFigures } from '../doctor/measure.ts';
import { print, printJson } from '../output.ts';

interface Options {
  readonly seconds: number;
  readonly json?: boolean;
}

const GIGABYTE = 2 ** 30;
/** Recordings per recogniser, so that all are busy. */
const RECORDINGS_PER_RECOGNISER = 2;
/** Seconds of speech that each model reads alone: about the length of a window. */
const MODEL_SECONDS = 12;

const measure = async (seconds: number): Promise<Findings> => {
  const [
    { parseConfig },
    { LocalSpeechEngine },
    { poolShape, processBytesFor },
    { openModelStore },
    { storeProgress },
    { configuredTiers },
    { weightsFor },
  ] = await Promise.all([
    import('../../app/config.ts'),
    import('../../speech/engine.ts'),
    import('../../speech/pool/shape.ts'),
    import('../../speech/store/open.ts'),
    import('../../speech/store/progress.ts'),
    import('../../speech/cascade/chosen-models.ts'),
    import('../../speech/cascade/tiers.ts'),
  ]);
  const [{ TranscriptionService }, { RefinementThreads, serviceRefiner }, { createUploadDecoding }] = await Promise.all(
    [
      import('../../transcription/service.ts'),
      import('../../transcription/text/refinement-threads.ts'),
      import('../../audio/create-upload-decoding.ts'),
    ],
  );
  const [{ measureTier }, { measureModels }, { sampleSpeech }] = await Promise.all([
    import('../doctor/measure.ts'),
    import('../doctor/measure-models.ts'),
    import('../doctor/sample-speech.ts'),
  ]);
  const given = parseConfig(process.env);
  // A gateway is measured too, as if it had recognisers.
  const config = { ...given, recognisers: given.recognisers === 'none' ? null : given.recognisers };
  const progress = storeProgress(process.stderr);
  const store = openModelStore(config, (event) => progress.report(event));
  const engine = new LocalSpeechEngine({ config, store });
  const table = configuredTiers(config, store.catalogue);
  const processBytes = processBytesFor(config.models, table, store.catalogue);
  const decoding = createUploadDecoding();
  const shape = poolShape(config, undefined, processBytes);
  const recognisers = shape.length;
  try {
    await engine.ready();
    progress.end();
    const service = new TranscriptionService({
      engine,
      models: config.models,
      refinementStage: new RefinementThreads(serviceRefiner({})),
      graceMs: 0,
      recognitionTimeoutMs: 600_000,
      refinementTimeoutMs: 60_000,
      queuedAudioSecondsMax: 100_000,
    });
    const recordings = await sampleSpeech(decoding);
    const share = { atOnce: recognisers * RECORDINGS_PER_RECOGNISER, seconds: seconds / config.models.length };
    const tiers: TierFigures[] = [];
    const busy = busyNotice(loadavg()[0] ?? 0, availableParallelism());
    if (busy !== null) console.error(busy);
    for (const tier of config.models)
      tiers.push(await withProgress(tier, share.seconds, () => measureTier(service, tier, recordings, share)));
    const memoryBytes =
      process.memoryUsage.rss() + engine.processes.reduce((sum, { rssBytes }) => sum + (rssBytes ?? 0), 0);
    await service.close();
    // The engine's processes would take memory from the models.
    await engine.close();
    const weights = weightsFor(config.models, table);
    const samples = recordings[0]!.slice(0, MODEL_SECONDS * SAMPLE_RATE_HZ);
    console.error('Measuring single models …');
    const models = await measureModels(store, weights, { samples, threads: shape[0]!, execution: config.execution });
    const machine = { cores: availableParallelism(), bytes: totalmem() };
    return {
      tiers,
      models,
      recognisers,
      memoryBytes,
      withOneMoreCore: poolShape(config, { ...machine, cores: machine.cores + 1 }, processBytes).length,
      withOneMoreGigabyte: poolShape(config, { ...machine, bytes: machine.bytes + GIGABYTE }, processBytes).length,
    };
  } finally {
    await Promise.all([engine.close(), decoding.close()]);
  }
};

/** Shows the elapsed time on a terminal; in a pipe, only which tier is measured. */
const withProgress = async <T>(tier: string, seconds: number, work: () => Promise<T>): Promise<T> => {
  const line = new StatusLine();
  const startedMs = performance.now();
  const show = () => {
    const passed = Math.min(seconds, (performance.now() - startedMs) / 1000);
    line.show(`Measuring ${tier}: ${passed.toFixed(0)} of ${seconds.toFixed(0)} s`);
  };
  if (!process.stderr.isTTY) console.error(`Measuring ${tier} …`);
  show();
  const timer = setInterval(show, 1_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    line.clear();
  }
};

const doctor = async ({ seconds, json }: Options): Promise<void> => {
  let findings: Findings;
  try {
    findings = await measure(seconds);
  } catch (thrown) {
    const { ConfigFault } = await import('../../config/parse.ts');
    console.error((thrown as Error).message);
    process.exitCode = thrown instanceof ConfigFault ? EXIT.config : EXIT.unavailable;
    return;
  }
  if (json) await printJson(findings);
  else await print(describeFindings(findings, availableParallelism()));
};

export const configureDoctor: ConfigureCommand = (command) => {
  command
    .option('--seconds <n>', 'duration of the measurement', wholeNumber(3, 600), 30)
    .option('--json', 'print JSON')
    .action(doctor);
};
