// A principal for tests.
import { NO_KEY_RULES } from '@faircopy/contract';
import type { Principal } from '../principal.ts';
import { DEFAULT_LIMITS } from './limits.ts';

export const testPrincipal = (accountId: string): Principal => ({
  accountId,
  accountName: accountId,
  keyId: 'k',
  limits: DEFAULT_LIMITS,
  vocabulary: [],
  refinement: null,
  rules: NO_KEY_RULES,
  redaction: [],
  languages: [],
  budget: null,
});
