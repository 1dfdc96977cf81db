// `faircopy models`: lists, downloads, verifies, imports and removes the files of the model store, and chooses models
// for tiers and speakers.
import { type ConfigureCommand, EXIT } from '../command.ts';
import { printJson } from '../output.ts';

const openStore = async () => {
  const [{ parseConfig }, { openModelStore }, { storeProgress }, { neededModels }, chosen] = await Promise.all([
    import('../../app/config.ts'),
    import('../../speech/store/open.ts'),
    import('../../speech/store/progress.ts'),
    import('../../speech/store/needed.ts'),
    import('../../speech/cascade/chosen-models.ts'),
  ]);
  const config = parseConfig(process.env);
  const progress = storeProgress(process.stderr);
  const store = openModelStore(config, (event) => progress.report(event));
  /** Computed on demand, since choices that are no longer valid must not stop the command that changes them. */
  const needed = () => neededModels(config.models, chosen.configuredTiers(config, store.catalogue));
  return { config, progress, needed, store, chosen };
};

const isUsageFault = async (cause: unknown): Promise<boolean> =>
  cause instanceof (await import('../../speech/store/fault.ts')).UnknownModel ||
  cause instanceof (await import('../../speech/cascade/chosen-models.ts')).InvalidChoice;

/** Aborts on Ctrl-C, so that locks are released and partial downloads can be resumed. */
const interruptible = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
  const controller = new AbortController();
  const stop = () => controller.abort(new Error('interrupted'));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await work(controller.signal);
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause);
    if (controller.signal.aborted) process.exitCode = EXIT.failed;
    else process.exitCode = (await isUsageFault(cause)) ? EXIT.usage : EXIT.unavailable;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
};

const list = async (options: { json?: boolean }): Promise<void> => {
  const { store, needed, config, chosen } = await openStore();
  const [{ modelBytes }, { SPEAKER_WEIGHTS, WITHOUT_SEGMENTATION }, speeds, { isAcousticFamily }, { describeSpeed }] =
    await Promise.all([
      import('../../speech/store/catalogue.ts'),
      import('../../speech/speakers/families.ts'),
      import('../../speech/speed/measured-speed.ts'),
      import('../../speech/acoustic/families.ts'),
      import('../doctor/findings.ts'),
    ]);
  const machine = speeds.machineKind(config.execution);
  const wanted = needed();
  const embedding = chosen.chosenEmbedding(config.modelsDir, store.catalogue);
  const rows = await Promise.all(
    store.catalogue.map(async (model) => ({
      model: model.id,
      state: await store.state(model.id),
      needed: wanted.includes(model.id),
      megabytes: Math.round(modelBytes(model) / 1e6),
      licence: model.licence,
      /** Null: many languages, which the model detects. */
      languages: model.languages ?? null,
      /** Seconds of speech read per second on this machine; null: not measured yet. Acoustic models only. */
      ...(isAcousticFamily(model.family) && { speed: await speeds.readSpeed(store.folderOf(model.id), machine) }),
      sources: [model.npm && `npm ${model.npm.package}`, model.hub && `hub ${model.hub.repository}`].filter(Boolean),
      about: model.about,
      /** Only for speaker embedding models: whether it is the one in use. */
      ...(model.embedding && { speakers: model.id === embedding.id }),
    })),
  );
  if (options.json) return void (await printJson({ folder: config.modelsDir, models: rows }));
  console.log(`${config.modelsDir}\n`);
  for (const row of rows) {
    const state = row.needed || row.state !== 'missing' ? row.state : '-';
    const facts = `${row.model.padEnd(28)}${state.padEnd(12)}${String(row.megabytes).padStart(5)} MB`;
    const speed =
      row.speed === undefined || row.state !== 'ready'
        ? ''
        : `; ${row.speed === null ? 'speed not measured yet' : describeSpeed(row.speed)}`;
    const inUse = row.speakers ? '; in use for speakers' : '';
    const isWithout = row.model === SPEAKER_WEIGHTS.segmentation && row.state !== 'ready';
    const about = isWithout ? `${row.about}; without it, ${WITHOUT_SEGMENTATION}` : `${row.about}${inUse}${speed}`;
    console.log(`${facts}  ${about} [${row.licence}]`);
  }
};

const pull = (modelIds: readonly string[]): Promise<void> =>
  interruptible(async (signal) => {
    const { store, needed, progress } = await openStore();
    const wanted = modelIds.length > 0 ? modelIds : needed();
    for (const id of modelIds) console.error(`${id}: ${store.model(id).about}. Licence: ${store.model(id).licence}`);
    try {
      await store.ensure(wanted, 'thorough', signal);
    } finally {
      progress.end();
    }
    console.error(`Ready: ${wanted.join(', ')}`);
  });

const use = (choices: readonly string[]): Promise<void> =>
  interruptible(async (signal) => {
    const { store, config, progress, needed, chosen } = await openStore();
    const before = chosen.readChosenModels(config.modelsDir);
    let models = before;
    for (const choice of choices) models = chosen.withChoice(models, chosen.parseChoice(choice));
    chosen.tiersWith(models, store.catalogue);
    const embedding = chosen.embeddingWith(models, store.catalogue);
    const isNew = models.speakers !== before.speakers;
    await chosen.writeChosenModels(config.modelsDir, models);
    console.error('Chosen. A running server uses them after a restart.');
    const missing: string[] = [];
    for (const id of [...needed(), ...(models.speakers === undefined ? [] : [embedding.id])])
      if ((await store.state(id)) === 'missing') missing.push(id);
    if (missing.length > 0) console.error(`Not downloaded yet: run "npx faircopy models pull ${missing.join(' ')}".`);
    if (isNew) console.error(`Voices enrolled with another embedding model are not compared: enrol them again.`);
    if (isNew && !embedding.isMeasured)
      console.error(`The thresholds for ${embedding.id} are not measured: check them on your own recordings.`);
    signal.throwIfAborted();
    progress.end();
  });

const verify = (modelIds: readonly string[]): Promise<void> =>
  interruptible(async (signal) => {
    const { store } = await openStore();
    const { ModelStoreFault } = await import('../../speech/store/fault.ts');
    const present = async () => {
      const states = await Promise.all(store.catalogue.map(async ({ id }) => [id, await store.state(id)] as const));
      return states.filter(([, state]) => state !== 'missing').map(([id]) => id);
    };
    const wanted = modelIds.length > 0 ? modelIds : await present();
    const problems = await store.verify(wanted, signal);
    if (problems.length > 0) {
      console.error(new ModelStoreFault(problems).message);
      process.exitCode = EXIT.dataError;
    } else console.error(wanted.length > 0 ? `Verified: ${wanted.join(', ')}` : 'The model store is empty.');
  });

const remove = (modelIds: readonly string[]): Promise<void> =>
  interruptible(async (signal) => {
    const { store } = await openStore();
    for (const modelId of modelIds) await store.remove(modelId, signal);
    console.error(`Removed: ${modelIds.join(', ')}`);
  });

const importFiles = (paths: readonly string[]): Promise<void> =>
  interruptible(async (signal) => {
    const { store, progress } = await openStore();
    const { importModelFile } = await import('../../speech/store/import-file.ts');
    try {
      for (const path of paths) {
        const modelId = await importModelFile(store, path, signal);
        if (modelId === null) throw new Error(`${path} is not a file of any model in the catalogue.`);
        if ((await store.state(modelId)) === 'unprepared') await store.ensure([modelId], 'quick', signal);
        console.error(`${path}: ${modelId} is ${await store.state(modelId)}`);
      }
    } finally {
      progress.end();
    }
  });

export const configureModels: ConfigureCommand = (models) => {
  models.command('list').description('list models and their state').option('--json', 'print JSON').action(list);
  models
    .command('pull [models...]')
    .description('download or repair models; by default those that the configured tiers need')
    .action(pull);
  models
    .command('use <choices...>')
    .description(
      'choose models: TIER=MODEL, TIER.LANGUAGE=MODEL, TIER.live=MODEL, max.vote=MODEL or speakers=MODEL; MODEL may be default, TIER is svc-1.0-max or max',
    )
    .action(use);
  models
    .command('verify [models...]')
    .description('compare every file with its checksum, and compile again to compare the compiled graphs')
    .action(verify);
  models
    .command('import <files...>')
    .description('import model files from disk; they are identified by their content')
    .action(importFiles);
  models.command('remove <models...>').description('delete models from the store').action(remove);
};
