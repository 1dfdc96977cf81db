// `faircopy members`: lists, invites and removes members of an account, and creates password reset links.
import type { MemberRole } from '@faircopy/contract';
import { Option } from 'commander';
import { Fault } from '../../lib/fault.ts';
import type { ConfigureCommand } from '../command.ts';
import { consoleLink } from '../console-link.ts';
import { isoOrNull, print, printJson, printTable, sanitise, shortTime } from '../output.ts';
import { withStorage } from '../with-storage.ts';

const list = ({ account: name, json }: { account: string; json?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed }, { membersOf }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../accounts/people/members.ts'),
    ]);
    const members = await membersOf(storage.read, (await accountNamed(storage.read, name)).id);
    if (json) {
      const shown = members.map(({ sinceMs, personId, ...member }) => ({
        person_id: personId,
        ...member,
        since: isoOrNull(sinceMs),
      }));
      return void (await printJson(shown));
    }
    await printTable(members, [
      { title: 'name', value: (member) => member.name },
      { title: 'e-mail', value: (member) => member.email },
      { title: 'role', value: (member) => member.role },
      { title: 'since', value: (member) => shortTime(member.sinceMs) },
    ]);
    if (members.length === 0)
      console.error('There are no members. Invite one: faircopy members invite --account NAME --email ADDRESS');
  });

interface InviteOptions {
  readonly account: string;
  readonly role: MemberRole;
  readonly email?: string;
}

const invite = ({ account: name, role, email }: InviteOptions): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed }, { createInvitation }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../accounts/people/invitations.ts'),
    ]);
    const { id } = await accountNamed(storage.write, name);
    const { token } = await createInvitation(storage, { accountId: id, role, email: email ?? null });
    await print(`${await consoleLink(`/welcome/${token}`)}\n`);
    console.error(`The link invites one person to "${sanitise(name)}" as ${role}. It works once, for seven days.`);
  });

const remove = ({ account: name, email }: { account: string; email: string }): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed }, { membersOf, removeMember }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../accounts/people/members.ts'),
    ]);
    const { id } = await accountNamed(storage.write, name);
    const member = (await membersOf(storage.write, id)).find((one) => one.email === email.toLowerCase());
    if (!member) throw new Fault('NOT_FOUND', { message: `"${email}" is not a member of "${name}".` });
    await removeMember(storage, id, member.personId);
    console.error(
      `Removed ${sanitise(email)} from "${sanitise(name)}". The keys they created in the console are revoked.`,
    );
  });

const reset = (email: string, { send }: { send?: boolean }): Promise<void> =>
  withStorage(async (storage) => {
    const [{ personByEmail }, { createPasswordReset }] = await Promise.all([
      import('../../accounts/people/administrators.ts'),
      import('../../accounts/people/password-resets.ts'),
    ]);
    const person = await personByEmail(storage.write, email);
    const { token } = await createPasswordReset(storage, person.id);
    const link = await consoleLink(`/reset/${token}`);
    if (send) await mailReset(person.email, link);
    await print(`${link}\n`);
    console.error(
      `The link lets ${sanitise(person.email)} choose a new password. It works once, for a day.${send ? ' It was also sent by e-mail.' : ''}`,
    );
  });

const mailReset = async (email: string, link: string): Promise<void> => {
  const [{ openSmtpMailer, passwordResetMail }, { parseConfig }] = await Promise.all([
    import('../../accounts/people/mailer.ts'),
    import('../../app/config.ts'),
  ]);
  const { smtpUrl, smtpFrom } = parseConfig(process.env);
  if (smtpUrl === undefined)
    throw new Fault('INVALID_REQUEST', { message: 'To send e-mail, set FAIRCOPY_SMTP_URL to a mail server.' });
  const mailer = openSmtpMailer(smtpUrl, smtpFrom);
  try {
    await mailer.send(passwordResetMail(email, link));
  } catch (cause) {
    const message = `The mail server did not accept the message: ${(cause as Error).message}`;
    throw new Fault('SERVICE_UNAVAILABLE', { message, cause });
  } finally {
    mailer.close();
  }
};

export const configureMembers: ConfigureCommand = (members) => {
  members
    .command('list')
    .description('list the members of an account')
    .requiredOption('--account <name>')
    .option('--json', 'print JSON')
    .action(list);
  members
    .command('invite')
    .description('print an invitation link for one person')
    .requiredOption('--account <name>')
    .option('--email <address>', 'only for this address; without it, for anyone with the link')
    .addOption(new Option('--role <role>').choices(['member', 'owner']).default('member'))
    .action(invite);
  members
    .command('remove')
    .description('remove a member, and revoke the keys they created in the console')
    .requiredOption('--account <name>')
    .requiredOption('--email <address>')
    .action(remove);
  members
    .command('reset')
    .argument('<email>')
    .description('print a link to choose a new password')
    .option('--send', 'also send it by e-mail, through FAIRCOPY_SMTP_URL')
    .action(reset);
};
