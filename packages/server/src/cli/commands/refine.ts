// `faircopy refine`: refines text from standard input without a server.
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Option } from 'commander';
import type { RefineLevel } from '../../refine/refiner.ts';
import type { ConfigureCommand } from '../command.ts';
import { print, printJson } from '../output.ts';

interface Options {
  readonly language?: string;
  readonly level: RefineLevel;
  readonly json?: boolean;
  readonly lines?: boolean;
}

/** Output is written in chunks: a system call per line would take longer than refining it. */
const CHUNK_CHARACTERS = 64 * 1024;

export const configureRefine: ConfigureCommand = (command) => {
  command
    .option('-l, --language <code>', 'language of the text, ISO 639-1; guessed if not given')
    .addOption(
      new Option('--level <level>', 'how much to change').choices(['none', 'light', 'standard']).default('standard'),
    )
    .option('--lines', 'refine each line separately: one line in, one line out')
    .option('--json', 'print the text and its edits as JSON; with --lines one object per line')
    .action(async ({ language, level, json, lines }: Options) => {
      const { createRefiner } = await import('../../refine/create-refiner.ts');
      const refiner = createRefiner();
      const never = new AbortController().signal;
      const refineText = (raw: string, spoken: string | null) =>
        refiner.refine(
          {
            pieces: [{ text: raw, startMs: 0, endMs: 0, language: spoken, confidence: 1 }],
            language: spoken,
            vocabulary: [],
            level,
          },
          never,
        );
      if (!lines) {
        const result = await refineText(await text(process.stdin), language ?? null);
        await (json ? printJson(result) : print(`${result.text}\n`));
        return;
      }
      const { LanguageOfLines } = await import('../language-of-lines.ts');
      const languages = new LanguageOfLines();
      let pending = '';
      const flush = () => {
        const chunk = pending;
        pending = '';
        return print(chunk);
      };
      for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
        const result = await refineText(line, language ?? languages.of(line));
        // A refined text may contain line breaks.
        pending += json ? `${JSON.stringify(result)}\n` : `${result.text.replaceAll(/\s*\n\s*/gu, ' ')}\n`;
        if (pending.length >= CHUNK_CHARACTERS && !(await flush())) return;
      }
      await flush();
    });
};
