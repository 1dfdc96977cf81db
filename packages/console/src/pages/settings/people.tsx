// The members and invitations of the account.
import type { AccountDetail, MemberRole } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { DataTable, RowAction } from '../../components/data-table.tsx';
import { Dialog, FormDialog, Secret, useDialog } from '../../components/dialog.tsx';
import { Choice, Field } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { ErrorNotice } from '../../components/states.tsx';
import { day } from '../../format.ts';
import { useSession } from '../../session.ts';

type Member = AccountDetail['members'][number];
type Invitation = AccountDetail['invitations'][number];

const ROLES = [
  ['member', 'Member: creates keys, sees usage'],
  ['owner', 'Owner: also manages people and all keys'],
] as const;

const InviteDialog = ({ accountId, onClose }: { accountId: string; onClose: () => void }) => {
  const [role, setRole] = useState<MemberRole>('member');
  const [created, setCreated] = useState<{ link: string; sent: boolean } | null>(null);
  return (
    <Dialog title="Invite someone" onClose={onClose}>
      {created ? (
        <>
          <p>
            {created.sent ? 'The link was sent by e-mail. You can also copy it.' : 'Send this link.'} It works once, for
            seven days, for new and existing users.
          </p>
          <Secret text={created.link} copyLabel="Copy link" onDone={onClose} />
        </>
      ) : (
        <Form
          submit="Create link"
          onCancel={onClose}
          onSubmit={async (values) => setCreated(await api.invite(accountId, textOf(values, 'email') || null, role))}
        >
          <Field label="E-mail" name="email" type="email" hint="Leave empty for a link that anyone can use once." />
          <Choice label="Role" value={role} onChange={setRole} options={ROLES} />
        </Form>
      )}
    </Dialog>
  );
};

const RoleChoice = ({ accountId, member, onChange }: { accountId: string; member: Member; onChange: () => void }) => {
  const [error, setError] = useState<Error | null>(null);
  const choose = (role: string) => {
    setError(null);
    api.setRole(accountId, member.person_id, role as MemberRole).then(onChange, setError);
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
      {error ? <ErrorNotice error={error} /> : null}
    </>
  );
};

export const People = ({ account, onChange }: { account: AccountDetail; onChange: () => void }) => {
  const { me, mayManage } = useSession();
  const { dialog, openDialog } = useDialog(onChange);
  const remove = (member: Member) =>
    openDialog((close) => (
      <FormDialog
        title={`Remove ${member.name}?`}
        submit="Remove"
        danger
        onClose={close}
        onSubmit={() => api.removeMember(account.id, member.person_id)}
      >
        <p>
          They lose access to this account immediately, and the keys they created here stop working. You can invite them
          again.
        </p>
      </FormDialog>
    ));
  const isMember = (row: Member | Invitation): row is Member => 'person_id' in row;
  return (
    <section>
      <div class="card-header">
        <h2>People</h2>
        {mayManage && account.closed_at === null ? (
          <button
            type="button"
            onClick={() => openDialog((close) => <InviteDialog accountId={account.id} onClose={close} />)}
          >
            Invite
          </button>
        ) : null}
      </div>
      <DataTable<Member | Invitation>
        rows={[...account.members, ...account.invitations]}
        keyOf={(row) => (isMember(row) ? row.person_id : row.id)}
        columns={[
          {
            title: 'Name',
            class: 'name',
            isRowHeader: true,
            cell: (row) =>
              isMember(row) ? (
                <>
                  <bdi>{row.name}</bdi>
                  {row.person_id === me.person.id ? <span class="muted"> (you)</span> : null}
                </>
              ) : (
                <span class="muted">Invited</span>
              ),
          },
          {
            title: 'E-mail',
            class: 'name wide',
            cell: (row) => <bdi>{row.email ?? 'anyone with the link'}</bdi>,
          },
          {
            title: 'Role',
            cell: (row) =>
              isMember(row) && mayManage ? (
                <RoleChoice accountId={account.id} member={row} onChange={onChange} />
              ) : (
                <span class="tag">{row.role}</span>
              ),
          },
          {
            title: 'Since',
            class: 'nowrap',
            cell: (row) => (isMember(row) ? day(row.since) : `until ${day(row.expires_at)}`),
          },
        ]}
        actions={(row) => {
          if (!mayManage) return null;
          if (!isMember(row))
            return (
              <RowAction
                text="Withdraw"
                of={`the invitation of ${row.email ?? 'anyone'}`}
                onClick={() => api.withdrawInvitation(account.id, row.id).then(onChange, onChange)}
              />
            );
          if (row.person_id === me.person.id) return null;
          return <RowAction text="Remove" of={row.name} isDanger onClick={() => remove(row)} />;
        }}
      />
      {dialog}
    </section>
  );
};
