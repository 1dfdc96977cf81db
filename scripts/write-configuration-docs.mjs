// Writes docs/configuration.md from the table of settings, so that the page cannot say something else.
import { writeFileSync } from 'node:fs';
import { configurationPage } from '../packages/server/dist/src/config/config-page.js';

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage());
