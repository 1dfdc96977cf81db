// Everybody who signs in to this server: made administrators, and given links when they forgot their password.
import type { ServerPerson } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Finder } from '../../parts/finder.tsx';
import { Form } from '../../parts/form.tsx';
import { time } from '../../parts/format.ts';
import { StackTable } from '../../parts/stack-table.tsx';
import { Show } from '../../parts/states.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { useSession } from '../../session.ts';

interface DialogProps {
  readonly person: ServerPerson;
  readonly onClose: () => void;
}

const AdministratorDialog = ({ person, onClose }: DialogProps) => {
  const { refresh } = useSession();
  const makes = !person.is_administrator;
  return (
    <Dialog
      title={makes ? `Make ${person.name} an administrator?` : `Take it back from ${person.name}?`}
      onClose={onClose}
    >
      <p>
        {makes
          ? 'Administrators see every account, set limits, close accounts, and make others administrators.'
          : 'They stay in their accounts, and do not administer the server any more.'}
      </p>
      <Form
        submit={makes ? 'Make administrator' : 'Take it back'}
        danger={!makes}
        onCancel={onClose}
        onSubmit={async () => {
          await api.setAdministrator(person.id, makes);
          refresh();
          onClose();
        }}
      />
    </Dialog>
  );
};

const ResetDialog = ({ person, onClose }: DialogProps) => {
  const [made, setMade] = useState<{ link: string; expires_at: string; sent: boolean } | null>(null);
  return (
    <Dialog title={`A new password for ${person.name}`} onClose={onClose}>
      {made ? (
        <>
          <p>
            {made.sent ? `The link was sent to ${person.email}; here it is as well.` : 'Send this link.'} It works once,
            until {time(made.expires_at)}. Their password stays as it is until then.
          </p>
          <div class="secret">
            <code data-testid="reset-link">{made.link}</code>
            <CopyButton text={made.link} label="Copy link" />
          </div>
          <div class="form-actions">
            <button type="button" class="primary" onClick={onClose}>
              Done
            </button>
          </div>
        </>
      ) : (
        <>
          <p>
            A link by which <bdi>{person.email}</bdi> chooses a new password. It signs them out everywhere.
          </p>
          <Form
            submit="Make the link"
            onCancel={onClose}
            onSubmit={async () => setMade(await api.resetLink(person.id))}
          />
        </>
      )}
    </Dialog>
  );
};

type Open = { readonly dialog: 'administrator' | 'reset'; readonly person: ServerPerson } | null;

const Row = ({ person, onOpen }: { person: ServerPerson; onOpen: (open: Open) => void }) => (
  <tr>
    <th scope="row" class="name">
      <bdi>{person.name}</bdi>
      <span class="below">
        <bdi>{person.email}</bdi>
      </span>
    </th>
    <td data-label="Accounts" class="name">
      {person.accounts.length === 0 ? <span class="quiet">none</span> : null}
      {person.accounts.map((name, at) => (
        <span key={name}>
          {at === 0 ? '' : ', '}
          <bdi>{name}</bdi>
        </span>
      ))}
    </td>
    <td data-label="Server">{person.is_administrator ? <span class="tag">administrator</span> : '–'}</td>
    <td class="row-actions">
      <button type="button" class="quiet-button" onClick={() => onOpen({ dialog: 'reset', person })}>
        Reset password<span class="unseen"> of {person.name}</span>
      </button>
      <button type="button" class="quiet-button" onClick={() => onOpen({ dialog: 'administrator', person })}>
        {person.is_administrator ? 'Remove as administrator' : 'Make administrator'}
        <span class="unseen"> {person.name}</span>
      </button>
    </td>
  </tr>
);

export const ServerPeople = () => {
  const people = useLoad(api.people, []);
  const [open, setOpen] = useState<Open>(null);
  const close = () => {
    setOpen(null);
    people.reload();
  };
  return (
    <section>
      <h2>People</h2>
      <Show of={people} what="people">
        {(all) => (
          <Finder what="a person" items={all} textOf={({ name, email }) => `${name} ${email}`}>
            {(list) => (
              <StackTable heads={['Name and e-mail', 'Accounts', 'Server']} unseenHead="Actions">
                {list.map((person) => (
                  <Row key={person.id} person={person} onOpen={setOpen} />
                ))}
              </StackTable>
            )}
          </Finder>
        )}
      </Show>
      {open?.dialog === 'administrator' ? <AdministratorDialog person={open.person} onClose={close} /> : null}
      {open?.dialog === 'reset' ? <ResetDialog person={open.person} onClose={close} /> : null}
    </section>
  );
};
