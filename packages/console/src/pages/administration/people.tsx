// Everyone who can sign in to this server: make administrators, reset passwords.
import type { ServerPerson } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { DataTable, RowAction } from '../../components/data-table.tsx';
import { Dialog, FormDialog, Secret, useDialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { SearchableList } from '../../components/searchable-list.tsx';
import { Show } from '../../components/states.tsx';
import { time } from '../../format.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useSession } from '../../session.ts';

interface DialogProps {
  readonly person: ServerPerson;
  readonly onClose: () => void;
}

const AdministratorDialog = ({ person, onClose }: DialogProps) => {
  const { refresh } = useSession();
  const adds = !person.is_administrator;
  return (
    <FormDialog
      title={adds ? `Make ${person.name} an administrator?` : `Remove ${person.name} as administrator?`}
      submit={adds ? 'Make administrator' : 'Remove administrator'}
      danger={!adds}
      onClose={onClose}
      onSubmit={async () => {
        await api.setAdministrator(person.id, adds);
        refresh();
      }}
    >
      <p>
        {adds
          ? 'Administrators can see every account, set limits, close accounts and make others administrators.'
          : 'They stay in their accounts, but can no longer administer the server.'}
      </p>
    </FormDialog>
  );
};

const ResetDialog = ({ person, onClose }: DialogProps) => {
  const [created, setCreated] = useState<{ link: string; expires_at: string; sent: boolean } | null>(null);
  return (
    <Dialog title={`New password for ${person.name}`} onClose={onClose}>
      {created ? (
        <>
          <p>
            {created.sent ? `The link was sent to ${person.email}. You can also copy it.` : 'Send this link.'} It works
            once, until {time(created.expires_at)}. The old password works until the link is used.
          </p>
          <Secret text={created.link} copyLabel="Copy link" testId="reset-link" onDone={onClose} />
        </>
      ) : (
        <Form submit="Create link" onCancel={onClose} onSubmit={async () => setCreated(await api.resetLink(person.id))}>
          <p>
            With this link, <bdi>{person.email}</bdi> can choose a new password. Using it signs them out everywhere.
          </p>
        </Form>
      )}
    </Dialog>
  );
};

export const ServerPeople = () => {
  const people = useLoad(api.people, []);
  const { dialog, openDialog } = useDialog(people.reload);
  return (
    <section>
      <h2>People</h2>
      <Show of={people} what="people">
        {(all) => (
          <SearchableList what="a person" items={all} textOf={({ name, email }) => `${name} ${email}`}>
            {(found) => (
              <DataTable
                rows={found}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: 'Name and e-mail',
                    class: 'name',
                    isRowHeader: true,
                    cell: ({ name, email }) => (
                      <>
                        <bdi>{name}</bdi>
                        <span class="secondary">
                          <bdi>{email}</bdi>
                        </span>
                      </>
                    ),
                  },
                  {
                    title: 'Accounts',
                    class: 'name',
                    cell: ({ accounts }) =>
                      accounts.length === 0 ? (
                        <span class="muted">none</span>
                      ) : (
                        accounts.map((name, at) => (
                          <span key={name}>
                            {at === 0 ? '' : ', '}
                            <bdi>{name}</bdi>
                          </span>
                        ))
                      ),
                  },
                  {
                    title: 'Server',
                    cell: ({ is_administrator: isAdministrator }) =>
                      isAdministrator ? <span class="tag">administrator</span> : '–',
                  },
                ]}
                actions={(person) => (
                  <>
                    <RowAction
                      text="Reset password"
                      of={`of ${person.name}`}
                      onClick={() => openDialog((close) => <ResetDialog person={person} onClose={close} />)}
                    />
                    <RowAction
                      text={person.is_administrator ? 'Remove as administrator' : 'Make administrator'}
                      of={person.name}
                      onClick={() => openDialog((close) => <AdministratorDialog person={person} onClose={close} />)}
                    />
                  </>
                )}
              />
            )}
          </SearchableList>
        )}
      </Show>
      {dialog}
    </section>
  );
};
