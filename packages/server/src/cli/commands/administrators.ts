// `faircopy administrators`: who administers the server in the console; made and unmade, also while a server runs.
import type { KnownPerson } from '../../accounts/people/administrators.ts';
import type { AddCommand } from '../command.ts';
import { type Column, formatTable, harmless, print } from '../output.ts';
import { withStorage } from '../with-storage.ts';

const list = ({ json }: { json?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const { listPeople } = await import('../../accounts/people/administrators.ts');
    const administrators = (await listPeople(storage.read)).filter((person) => person.isAdministrator);
    if (json) {
      const shown = administrators.map(({ id, name, email }) => ({ person_id: id, name, email }));
      await print(`${JSON.stringify(shown, null, 2)}\n`);
      return;
    }
    const columns: Column<KnownPerson>[] = [
      { title: 'name', value: (person) => person.name },
      { title: 'e-mail', value: (person) => person.email },
    ];
    await print(formatTable(administrators, columns, process.stdout.isTTY));
    if (administrators.length === 0)
      console.error('Nobody yet. The next start of the server prints a link for the first.');
  });

const change = (email: string, isAdministrator: boolean): Promise<void> =>
  withStorage(async (storage) => {
    const { personByEmail, setAdministrator } = await import('../../accounts/people/administrators.ts');
    const person = await personByEmail(storage.write, email);
    await setAdministrator(storage, person.id, isAdministrator);
    const who = `"${harmless(person.name)}" (${harmless(person.email)})`;
    console.error(isAdministrator ? `${who} administers this server now.` : `${who} is no administrator any more.`);
  });

export const addAdministrators: AddCommand = (program) => {
  const administrators = program.command('administrators').description('people who administer the server');
  administrators.command('list').description('who they are').option('--json', 'as JSON').action(list);
  administrators
    .command('add')
    .argument('<email>', 'of someone who can sign in already')
    .description('make one more')
    .action((email: string) => change(email, true));
  administrators
    .command('remove')
    .argument('<email>')
    .description('take it back; the last one stays')
    .action((email: string) => change(email, false));
};
