// Entry of a test process that loads the tagger with its runtime and exits.
import { loadTaggerModel } from '../tagger-model.ts';

await loadTaggerModel();
