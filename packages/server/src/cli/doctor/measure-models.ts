// Measures each acoustic model of the tiers alone and saves its speed in the store for `faircopy models list`.
import { isAcousticFamily } from '../../speech/acoustic/families.ts';
import type { Execution } from '../../speech/acoustic/open-session.ts';
import { measureModel } from '../../speech/speed/measure-model.ts';
import { machineKind, writeSpeed } from '../../speech/speed/measured-speed.ts';
import { isUnwritable } from '../../speech/store/fault.ts';
import type { ModelStore } from '../../speech/store/store.ts';

export interface ModelFigures {
  readonly model: string;
  /** Seconds of speech read per second, by one recogniser on an idle machine. */
  readonly speed: number;
}

export const measureModels = async (
  store: ModelStore,
  modelIds: readonly string[],
  question: { readonly samples: Float32Array; readonly threads: number; readonly execution: Execution },
): Promise<readonly ModelFigures[]> => {
  const figures: ModelFigures[] = [];
  for (const id of modelIds) {
    const { family, languages } = store.model(id);
    if (!isAcousticFamily(family)) continue;
    const folder = store.folderOf(id);
    const speed = await measureModel({ ...question, id, family, languages, folder });
    figures.push({ model: id, speed });
    try {
      await writeSpeed(folder, machineKind(question.execution), speed);
    } catch (cause) {
      if (!isUnwritable(cause)) throw cause;
      console.error(`The speed of ${id} could not be saved: the model store is read-only.`);
    }
  }
  return figures;
};
