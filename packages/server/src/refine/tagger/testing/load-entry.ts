// A process that loads the tagger, and with it the runtime, and ends.
import { loadTaggerModel } from '../tagger-model.ts';

await loadTaggerModel();
