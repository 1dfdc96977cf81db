// Sets the term rules of recognisers started later, and records their decisions about the terms of a clip.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContestedTerms, ScoredTerms, TermRules } from '@faircopy/server/pipeline';

export const RULES_PARAMETER = 'rules';
export const DECISIONS_PARAMETER = 'decisions';
export const CHANNELS = { scored: 'faircopy:scored-terms', contested: 'faircopy:contested-terms' } as const;

export type TermDecision = { readonly scored: ScoredTerms } | { readonly contested: ContestedTerms };

export interface TermDecisions {
  /** The decisions since the last call. */
  take(): Promise<TermDecision[]>;
  close(): Promise<void>;
}

export const recordTermDecisions = async (rules: Partial<TermRules>): Promise<TermDecisions> => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-rules-'));
  const path = join(folder, 'decisions.jsonl');
  const preload = new URL('./rules-preload.js', import.meta.url);
  // Recognisers inherit few environment variables, so the rules are passed in the URL of the preloaded script.
  preload.searchParams.set(RULES_PARAMETER, JSON.stringify(rules));
  preload.searchParams.set(DECISIONS_PARAMETER, path);
  const { NODE_OPTIONS: before = '' } = process.env;
  process.env.NODE_OPTIONS = `${before} --import ${preload.href}`.trim();
  await writeFile(path, '');
  return {
    take: async () => {
      const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
      await writeFile(path, '');
      return lines.map((line) => JSON.parse(line) as TermDecision);
    },
    close: async () => {
      process.env.NODE_OPTIONS = before;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
