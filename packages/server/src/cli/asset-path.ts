// Where the sounds that come with the server lie. Compiled code stands one folder deeper than its source.
import { fileURLToPath } from 'node:url';

const ASSETS = new URL(import.meta.url.endsWith('.ts') ? '../../assets/' : '../../../assets/', import.meta.url);

export const assetPath = (name: string): string => fileURLToPath(new URL(name, ASSETS));
