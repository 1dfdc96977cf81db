// `faircopy administrators`: lists, adds and removes people who administer the server in the console.
import type { ConfigureCommand } from '../command.ts';
import { printJson, printTable, sanitise } from '../output.ts';
import { withStorage } from '../with-storage.ts';

const list = ({ json }: { json?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const { listPeople } = await import('../../accounts/people/administrators.ts');
    const administrators = (await listPeople(storage.read)).filter((person) => person.isAdministrator);
    if (json)
      return void (await printJson(administrators.map(({ id, name, email }) => ({ person_id: id, name, email }))));
    await printTable(administrators, [
      { title: 'name', value: (person) => person.name },
      { title: 'e-mail', value: (person) => person.email },
    ]);
    if (administrators.length === 0)
      console.error('There are no administrators. The next start of the server prints a link for the first one.');
  });

const change = (email: string, isAdministrator: boolean): Promise<void> =>
  withStorage(async (storage) => {
    const { personByEmail, setAdministrator } = await import('../../accounts/people/administrators.ts');
    const person = await personByEmail(storage.write, email);
    await setAdministrator(storage, person.id, isAdministrator);
    const who = `"${sanitise(person.name)}" (${sanitise(person.email)})`;
    console.error(isAdministrator ? `${who} is an administrator now.` : `${who} is no longer an administrator.`);
  });

export const configureAdministrators: ConfigureCommand = (administrators) => {
  administrators.command('list').description('list administrators').option('--json', 'print JSON').action(list);
  administrators
    .command('add')
    .argument('<email>', 'e-mail address of a person who can sign in')
    .description('make a person an administrator')
    .action((email: string) => change(email, true));
  administrators
    .command('remove')
    .argument('<email>')
    .description('remove an administrator; the last one cannot be removed')
    .action((email: string) => change(email, false));
};
