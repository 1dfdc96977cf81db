// `faircopy members`: who may see an account in the console; invited, listed, removed, let in again, also while a server runs.
import type { MemberRole } from '@faircopy/contract';
import { Option } from 'commander';
import type { Member } from '../../accounts/people/members.ts';
import type { AddCommand } from '../command.ts';
import { consoleLink } from '../console-link.ts';
import { type Column, formatTable, harmless, isoOrNull, print, shortTime } from '../output.ts';
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
      await print(`${JSON.stringify(shown, null, 2)}\n`);
      return;
    }
    const columns: Column<Member>[] = [
      { title: 'name', value: (member) => member.name },
      { title: 'e-mail', value: (member) => member.email },
      { title: 'role', value: (member) => member.role },
      { title: 'since', value: (member) => shortTime(member.sinceMs) },
    ];
    await print(formatTable(members, columns, process.stdout.isTTY));
    if (members.length === 0)
      console.error('Nobody yet. Invite someone: faircopy members invite --account NAME --email ADDRESS');
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
    console.error(`This link makes a ${role} of "${harmless(name)}". It works once, for seven days.`);
  });

const remove = ({ account: name, email }: { account: string; email: string }): Promise<void> =>
  withStorage(async (storage) => {
    const [{ accountNamed }, { membersOf, removeMember }, { Fault }] = await Promise.all([
      import('../../accounts/accounts.ts'),
      import('../../accounts/people/members.ts'),
      import('../../lib/fault.ts'),
    ]);
    const { id } = await accountNamed(storage.write, name);
    const member = (await membersOf(storage.write, id)).find((one) => one.email === email.toLowerCase());
    if (!member) throw new Fault('NOT_FOUND', { message: `"${email}" does not belong to "${name}".` });
    await removeMember(storage, id, member.personId);
    console.error(
      `Removed ${harmless(email)} from "${harmless(name)}". The keys they made in the console are revoked.`,
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
      `With this link ${harmless(person.email)} chooses a new password. It works once, for a day.${send ? ' It was sent by e-mail too.' : ''}`,
    );
  });

const mailReset = async (email: string, link: string): Promise<void> => {
  const [{ openSmtpMailer, passwordResetMail }, { parseConfig }, { Fault }] = await Promise.all([
    import('../../accounts/people/mailer.ts'),
    import('../../app/config.ts'),
    import('../../lib/fault.ts'),
  ]);
  const { smtpUrl, smtpFrom } = parseConfig(process.env);
  if (smtpUrl === undefined)
    throw new Fault('INVALID_REQUEST', { message: 'To send e-mail, set FAIRCOPY_SMTP_URL to a mail server.' });
  const mailer = openSmtpMailer(smtpUrl, smtpFrom);
  try {
    await mailer.send(passwordResetMail(email, link));
  } catch (cause) {
    throw new Fault('SERVICE_UNAVAILABLE', {
      message: `The mail server did not take it: ${(cause as Error).message}`,
      cause,
    });
  } finally {
    mailer.close();
  }
};

export const addMembers: AddCommand = (program) => {
  const members = program.command('members').description('people who see an account in the console');
  members
    .command('list')
    .description('who belongs to an account, and as what')
    .requiredOption('--account <name>', 'the account')
    .option('--json', 'as JSON')
    .action(list);
  members
    .command('invite')
    .description('print a link that lets one person in')
    .requiredOption('--account <name>', 'the account')
    .option('--email <address>', 'only for this address; without it, for whoever has the link')
    .addOption(new Option('--role <role>', 'what they may do').choices(['member', 'owner']).default('member'))
    .action(invite);
  members
    .command('remove')
    .description('take a person out of an account, and revoke the keys they made in the console')
    .requiredOption('--account <name>', 'the account')
    .requiredOption('--email <address>', 'who')
    .action(remove);
  members
    .command('reset')
    .argument('<email>', 'under which they sign in')
    .description('print a link by which someone who forgot their password chooses a new one')
    .option('--send', 'by e-mail too, through FAIRCOPY_SMTP_URL')
    .action(reset);
};
