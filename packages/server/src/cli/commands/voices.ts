// `faircopy voices`: enrols people on a running server; lists, exports and deletes their voices.
import type { Faircopy } from '@faircopy/client';
import type { Command } from 'commander';
import {
  addConnectionOptions,
  type ConnectionOptions,
  exitCodeOf,
  openClient,
  sentenceOf,
} from '../client/service-client.ts';
import { type ConfigureCommand, EXIT } from '../command.ts';
import { confirm, isInteractive } from '../confirm.ts';
import { print, printJson, printTable, sanitise, shortTime } from '../output.ts';

interface AddOptions extends ConnectionOptions {
  readonly name: string;
  readonly consent?: boolean;
  readonly json?: boolean;
}

type ListOptions = ConnectionOptions & { readonly json?: boolean };
type DeleteOptions = ConnectionOptions & { readonly yes?: boolean };

const CONSENT =
  'A voice print is biometric data. Has this person agreed that it is stored and compared with the speakers of your recordings?';

/** Failures are printed as a sentence and set the exit code. */
const withClient = async (options: ConnectionOptions, work: (client: Faircopy) => Promise<void>): Promise<void> => {
  const client = await openClient(options);
  if (!client) return;
  try {
    await work(client);
  } catch (thrown) {
    console.error(sentenceOf(thrown));
    process.exitCode = exitCodeOf(thrown);
  }
};

const add = (file: string, options: AddOptions): Promise<void> =>
  withClient(options, async (client) => {
    if (!options.consent && !(isInteractive() && (await confirm(CONSENT)))) {
      console.error('Nothing was enrolled. --consent confirms that the person has agreed; see docs/voices.md.');
      process.exitCode = EXIT.usage;
      return;
    }
    const { blobOf } = await import('../client/recording-upload.ts');
    const { voice } = await client.voices.enrol({ name: options.name, audio: await blobOf(file), consent: true });
    if (options.json) return void (await printJson(voice));
    await print(`${voice.id}\n`);
    console.error(
      `Enrolled "${sanitise(voice.name)}" from ${voice.speech_seconds.toFixed(1)} seconds of speech. The recording was not kept.`,
    );
  });

const list = (options: ListOptions): Promise<void> =>
  withClient(options, async (client) => {
    const { voices } = await client.voices.list();
    if (options.json) return void (await printJson(voices));
    await printTable(voices, [
      { title: 'id', value: ({ id }) => id },
      { title: 'name', value: ({ name }) => name },
      { title: 'seconds', value: ({ speech_seconds }) => speech_seconds.toFixed(1) },
      { title: 'enrolled', value: ({ created_at }) => shortTime(Date.parse(created_at)) },
      { title: 'by key', value: ({ created_by }) => created_by },
    ]);
    if (voices.length === 0) console.error('No voices are enrolled: faircopy voices add FILE --name NAME --consent');
  });

const exportVoice = (id: string, options: ConnectionOptions): Promise<void> =>
  withClient(options, async (client) => {
    const { voice, print: printed, history } = await client.voices.export(id);
    await printJson({ voice, print: printed, history });
  });

const remove = (id: string, options: DeleteOptions): Promise<void> =>
  withClient(options, async (client) => {
    if (isInteractive() && !options.yes && !(await confirm(`Delete the voice ${sanitise(id)}?`))) return;
    await client.voices.delete(id);
    console.error(`Deleted ${sanitise(id)}. New requests no longer recognise this voice.`);
  });

export const configureVoices: ConfigureCommand = (voices) => {
  const subcommand = (name: string, description: string): Command =>
    addConnectionOptions(voices.command(name).description(description));
  subcommand('add', 'enrol a person with 8 to 30 seconds of their speech; prints the id')
    .argument('<file>', 'a recording in which only this person speaks, or - for standard input')
    .requiredOption('--name <name>', 'name of the person in transcripts')
    .option('--consent', 'the person has agreed to the enrolment')
    .option('--json', 'print JSON')
    .action(add);
  subcommand('list', 'list the enrolled people').option('--json', 'print JSON').action(list);
  subcommand('export', 'print everything that is stored about a voice, as JSON')
    .argument('<id>', 'its id, from the list')
    .action(exportVoice);
  subcommand('delete', 'delete a voice at once')
    .argument('<id>', 'its id, from the list')
    .option('--yes', 'do not ask')
    .action(remove);
};
