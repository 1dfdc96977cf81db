// Deepgram's model names and the tiers that serve them.
import type { ModelAlias } from '../../calls/model-names.ts';

export const DEEPGRAM_MODELS: readonly ModelAlias[] = [
  ['nova-3*', 'svc-1.0-max'],
  ['nova-2*', 'svc-1.0-max'],
  ['nova*', 'svc-1.0-lite'],
  ['flux*', 'svc-1.0-pro'],
  ['enhanced*', 'svc-1.0-pro'],
  ['base*', 'svc-1.0-lite'],
];
