// Opens the model store as configured: the built-in catalogue, npm first, then Hugging Face.

import { isCompiledFamily } from '../acoustic/families.ts';
import type { SpeechSettings } from '../settings.ts';
import { isCompiledSpeakerFamily } from '../speakers/families.ts';
import { readCatalogue } from './catalogue.ts';
import { compileInChild } from './compile/compile.ts';
import { npmSource } from './sources/npm-source.ts';
import { webSource } from './sources/web-source.ts';
import { ModelStore, type StoreEvent } from './store.ts';

export const openModelStore = (
  config: Pick<SpeechSettings, 'modelsDir' | 'hubUrl'>,
  report?: (event: StoreEvent) => void,
): ModelStore =>
  new ModelStore({
    folder: config.modelsDir,
    catalogue: readCatalogue(),
    sources: [npmSource(), webSource(config.hubUrl)],
    compile: compileInChild,
    needsCompiling: ({ family }) => isCompiledFamily(family) || isCompiledSpeakerFamily(family),
    ...(report && { report }),
  });
