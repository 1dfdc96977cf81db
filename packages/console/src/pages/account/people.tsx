// Who belongs to the account, who is invited, and what owners can do about it.
import type { AccountDetail, MemberRole } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { Form, textOf } from '../../parts/form.tsx';
import { day } from '../../parts/format.ts';
import { StackTable } from '../../parts/stack-table.tsx';
import { Failure } from '../../parts/states.tsx';
import { useSession } from '../../session.ts';

type Member = AccountDetail['members'][number];

const ROLES = [
  ['member', 'Member: makes keys, sees usage'],
  ['owner', 'Owner: also manages people and every key'],
] as const;

const InviteDialog = ({ accountId, onClose }: { accountId: string; onClose: () => void }) => {
  const [role, setRole] = useState<MemberRole>('member');
  const [made, setMade] = useState<{ link: string; sent: boolean } | null>(null);
  return (
    <Dialog title="Invite someone" onClose={onClose}>
      {made ? (
        <>
          <p>
            {made.sent ? 'The link was sent by e-mail; here it is as well.' : 'Send this link.'} It works once, for
            seven days, also for people who have a sign-in here already.
          </p>
          <div class="secret">
            <code>{made.link}</code>
            <CopyButton text={made.link} label="Copy link" />
          </div>
          <div class="form-actions">
            <button type="button" class="primary" onClick={onClose}>
              Done
            </button>
          </div>
        </>
      ) : (
        <Form
          submit="Make the link"
          onCancel={onClose}
          onSubmit={async (values) => setMade(await api.invite(accountId, textOf(values, 'email') || null, role))}
        >
          <Field label="E-mail" name="email" type="email" hint="Leave empty for a link that anyone may use once." />
          <Choice label="Role" value={role} onChange={(value) => setRole(value as MemberRole)} options={ROLES} />
        </Form>
      )}
    </Dialog>
  );
};

const RoleChoice = ({ accountId, member, changed }: { accountId: string; member: Member; changed: () => void }) => {
  const [error, setError] = useState<Error | null>(null);
  const choose = (role: string) => {
    setError(null);
    api.setRole(accountId, member.person_id, role as MemberRole).then(changed, setError);
  };
  return (
    <>
      <select
        class="small-select"
        aria-label={`Role of ${member.name}`}
        value={member.role}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="member">member</option>
        <option value="owner">owner</option>
      </select>
      {error ? <Failure error={error} /> : null}
    </>
  );
};

const RemoveDialog = (props: { accountId: string; member: Member; onClose: () => void }) => (
  <Dialog title={`Remove ${props.member.name}?`} onClose={props.onClose}>
    <p>
      They lose access to this account at once, and the keys they made here stop working. You can invite them again.
    </p>
    <Form
      submit="Remove"
      danger
      onCancel={props.onClose}
      onSubmit={async () => {
        await api.removeMember(props.accountId, props.member.person_id);
        props.onClose();
      }}
    />
  </Dialog>
);

const MemberRows = (props: { account: AccountDetail; changed: () => void; onRemove: (member: Member) => void }) => {
  const { me, mayManage } = useSession();
  return props.account.members.map((member) => (
    <tr key={member.person_id}>
      <th scope="row" class="name">
        <bdi>{member.name}</bdi>
        {member.person_id === me.person.id ? <span class="quiet"> (you)</span> : null}
      </th>
      <td data-label="E-mail" class="name wide">
        <bdi>{member.email}</bdi>
      </td>
      <td data-label="Role">
        {mayManage ? (
          <RoleChoice accountId={props.account.id} member={member} changed={props.changed} />
        ) : (
          <span class="tag">{member.role}</span>
        )}
      </td>
      <td data-label="Since" class="nowrap">
        {day(member.since)}
      </td>
      <td class="row-actions">
        {mayManage && member.person_id !== me.person.id ? (
          <button type="button" class="quiet-button danger-text" onClick={() => props.onRemove(member)}>
            Remove<span class="unseen"> {member.name}</span>
          </button>
        ) : null}
      </td>
    </tr>
  ));
};

const InvitationRows = ({ account, changed }: { account: AccountDetail; changed: () => void }) => {
  const { mayManage } = useSession();
  return account.invitations.map((invitation) => (
    <tr key={invitation.id}>
      <th scope="row">
        <span class="quiet">Invited</span>
      </th>
      <td data-label="E-mail" class="name wide">
        <bdi>{invitation.email ?? 'anyone with the link'}</bdi>
      </td>
      <td data-label="Role">
        <span class="tag">{invitation.role}</span>
      </td>
      <td data-label="Link works" class="nowrap">
        until {day(invitation.expires_at)}
      </td>
      <td class="row-actions">
        {mayManage ? (
          <button
            type="button"
            class="quiet-button"
            onClick={() => api.withdrawInvitation(account.id, invitation.id).then(changed, changed)}
          >
            Withdraw<span class="unseen"> the invitation of {invitation.email ?? 'anyone'}</span>
          </button>
        ) : null}
      </td>
    </tr>
  ));
};

export const People = ({ account, changed }: { account: AccountDetail; changed: () => void }) => {
  const { mayManage } = useSession();
  const [open, setOpen] = useState<Member | 'invite' | null>(null);
  const close = () => {
    setOpen(null);
    changed();
  };
  return (
    <section>
      <div class="card-head">
        <h2>People</h2>
        {mayManage && account.closed_at === null ? (
          <button type="button" onClick={() => setOpen('invite')}>
            Invite
          </button>
        ) : null}
      </div>
      <StackTable heads={['Name', 'E-mail', 'Role', 'Since']} unseenHead="Actions">
        <MemberRows account={account} changed={changed} onRemove={setOpen} />
        <InvitationRows account={account} changed={changed} />
      </StackTable>
      {open === 'invite' ? <InviteDialog accountId={account.id} onClose={close} /> : null}
      {open && open !== 'invite' ? <RemoveDialog accountId={account.id} member={open} onClose={close} /> : null}
    </section>
  );
};
