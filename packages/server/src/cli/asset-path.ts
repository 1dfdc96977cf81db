// The path of a sound file that comes with the server.
import { fileURLToPath } from 'node:url';

/** Compiled code is one folder deeper than its source. */
const ASSETS = new URL(import.meta.url.endsWith('.ts') ? '../../assets/' : '../../../assets/', import.meta.url);

export const assetPath = (name: string): string => fileURLToPath(new URL(name, ASSETS));
