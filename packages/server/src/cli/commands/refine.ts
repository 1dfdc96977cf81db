// `faircopy refine`: the refinement stage alone, from standard input to standard output, without a server.
import { text } from 'node:stream/consumers';
import type { AddCommand } from '../command.ts';

interface Options {
  readonly language?: string;
  readonly json?: boolean;
}

export const addRefine: AddCommand = (program) => {
  program
    .command('refine')
    .description('Write the fair copy of a raw transcript: reads standard input, prints the refined text.')
    .option('-l, --language <code>', 'language of the text, ISO 639-1; guessed when absent')
    .option('--json', 'print the text with the list of edits as JSON')
    .action(async ({ language, json }: Options) => {
      const { refineText } = await import('../../refine/chain.ts');
      const refined = refineText(await text(process.stdin), language ?? null);
      process.stdout.write(json ? `${JSON.stringify(refined, null, 2)}\n` : `${refined.text}\n`);
    });
};
