// Generates docs/configuration.md from the declarations of the settings.
import { writeFileSync } from 'node:fs';
import { configurationDocument } from '../packages/server/dist/src/app/config.js';

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationDocument());
