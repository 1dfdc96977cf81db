// Scores synthesised sentences: terms that were said and written, and terms that were written but not said.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelId } from '@faircopy/contract';
import type { Pipeline } from '../eval/pipeline.ts';
import { Progress } from '../eval/progress.ts';
import { markdownTable } from '../markdown-table.ts';
import { SENTENCES, type Spoken, speak, TERMS } from './synthesised.ts';
import type { TermDecisions } from './term-decisions.ts';

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The terms of the list that a transcript contains. */
export const termsIn = (transcript: string): string[] => {
  const words = new Set(transcript.split(/\s+/u).map((word) => lettersOf(word.replace(/['’]s\b/u, ''))));
  return TERMS.filter((term) => words.has(lettersOf(term)));
};

interface Score {
  said: number;
  written: number;
  falselyWritten: number;
}

export const addScore = (score: Score, { term }: Spoken, transcript: string): void => {
  const found = termsIn(transcript);
  if (term !== null) score.said += 1;
  if (term !== null && found.includes(term)) score.written += 1;
  score.falselyWritten += found.filter((other) => other !== term).length;
};

export interface SynthesisedOptions {
  readonly every: number;
  readonly lists: boolean;
  /** A folder with recordings of the first sentences, `0.wav` and so on, to use instead of espeak-ng. */
  readonly spoken: string | undefined;
  readonly decisions: TermDecisions | null;
}

export const evalSynthesised = async (
  pipeline: Pipeline,
  models: readonly ModelId[],
  { every, lists, spoken: recordings, decisions }: SynthesisedOptions,
): Promise<unknown[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-terms-'));
  const transcripts: unknown[] = [];
  // Sentences come in pairs: one with a term and one without.
  const chosen = SENTENCES.map((spoken, index) => ({ spoken, index })).filter(
    ({ index }) => Math.floor(index / 2) % every === 0 && (!recordings || existsSync(join(recordings, `${index}.wav`))),
  );
  try {
    for (const model of models) {
      const scores = {
        without: { said: 0, written: 0, falselyWritten: 0 },
        with: { said: 0, written: 0, falselyWritten: 0 },
      };
      const progress = new Progress(model, chosen.length);
      for (const { spoken, index } of chosen) {
        const path = recordings ? join(recordings, `${index}.wav`) : await speak(spoken, index, folder);
        for (const [run, list] of [
          ['without', []],
          ['with', TERMS],
        ] as const) {
          const { text } = await pipeline.transcribe(path, model, list);
          addScore(scores[run], spoken, text);
          transcripts.push({ model, run, ...spoken, transcript: text, decisions: await decisions?.take() });
          if (lists) console.log(`${model} ${run}: ${spoken.text} → ${text}`);
        }
        progress.step();
      }
      const rows = Object.entries(scores).map(([run, score]) => ({
        list: run,
        'terms said': score.said,
        'written as terms': score.written,
        'terms not said': score.falselyWritten,
        sentences: chosen.length,
      }));
      console.log(`### ${model}\n\n${markdownTable(rows)}\n`);
    }
    return transcripts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
