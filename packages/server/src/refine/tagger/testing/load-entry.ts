// A process that loads the tagger and its runtime, and exits.
import { loadTaggerModel } from '../tagger-model.ts';

await loadTaggerModel();
