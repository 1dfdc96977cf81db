// Runs the whole chain as the service does: the rules with the trained tagger.
import { refineInSlices, toRefined } from '../../src/refine/chain.ts';
import { type Refined, type RefineInput, textInput } from '../../src/refine/refiner.ts';
import { TrainedTagger } from '../../src/refine/tagger/tagger.ts';
import { loadTaggerModel } from '../../src/refine/tagger/tagger-model.ts';

const NEVER = new AbortController().signal;
let tagger: TrainedTagger | undefined;

export const refineWhole = async (input: RefineInput): Promise<Refined> => {
  // A test of the whole chain must not pass with only the rules.
  tagger ??= new TrainedTagger(loadTaggerModel, (failure) => {
    throw failure;
  });
  return toRefined(await refineInSlices(input, NEVER, tagger));
};

export const refineWholeText = (text: string, language: string | null): Promise<Refined> =>
  refineWhole(textInput(text, language));
