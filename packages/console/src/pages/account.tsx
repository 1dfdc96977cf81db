// The account: its limits, its people, its own words, and the signed-in person's password.
import type { AccountDetail, MemberRole } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../api/console.ts';
import { HOME } from '../base-path.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Choice, Field, PageHead } from '../parts/field.tsx';
import { Form, textOf } from '../parts/form.tsx';
import { count, day, seconds } from '../parts/format.ts';
import { Show } from '../parts/states.tsx';
import { useLoad } from '../parts/use-load.ts';
import { useSession } from '../session.ts';

const ROLES = [
  ['member', 'Member: makes keys, sees usage'],
  ['owner', 'Owner: also manages people'],
] as const;

const Limits = ({ account }: { account: AccountDetail }) => (
  <section class="card">
    <h2>Limits</h2>
    <dl class="pairs">
      <dt>Longest file</dt>
      <dd>{seconds(account.effective_limits.max_duration_seconds)}</dd>
      <dt>Open streams</dt>
      <dd>
        {count(account.open_streams)} of {count(account.effective_limits.max_streams)}
      </dd>
      <dt>Files at the same time</dt>
      <dd>{count(account.effective_limits.max_uploads)}</dd>
      <dt>Smallest bill</dt>
      <dd>15 s per request</dd>
    </dl>
    <p class="hint">An administrator of this server can raise these for an account.</p>
  </section>
);

const InviteDialog = ({ accountId, onClose }: { accountId: string; onClose: () => void }) => {
  const [role, setRole] = useState<MemberRole>('member');
  const [link, setLink] = useState<string | null>(null);
  return (
    <Dialog title="Invite someone" onClose={onClose}>
      {link ? (
        <>
          <p>Send this link. It works once, for seven days.</p>
          <div class="secret">
            <code>{link}</code>
            <CopyButton text={link} label="Copy link" />
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
          onSubmit={async (values) =>
            setLink((await api.invite(accountId, textOf(values, 'email') || null, role)).link)
          }
        >
          <Field label="E-mail" name="email" type="email" hint="Leave empty for a link that anyone may use once." />
          <Choice label="Role" value={role} onChange={(value) => setRole(value as MemberRole)} options={ROLES} />
        </Form>
      )}
    </Dialog>
  );
};

const People = ({ account, changed }: { account: AccountDetail; changed: () => void }) => {
  const { me } = useSession();
  const [inviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<AccountDetail['members'][number] | null>(null);
  const mayManage =
    me.person.is_administrator || me.accounts.some((mine) => mine.id === account.id && mine.role === 'owner');
  const close = () => {
    setInviting(false);
    setRemoving(null);
    changed();
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>People</h2>
        {mayManage ? (
          <button type="button" onClick={() => setInviting(true)}>
            Invite
          </button>
        ) : null}
      </div>
      <ul class="people">
        {account.members.map((person) => (
          <li key={person.person_id}>
            <span>
              <strong class="name">
                <bdi>{person.name}</bdi>
              </strong>{' '}
              <span class="quiet">{person.email}</span>
            </span>
            <span class="tag">{person.role}</span>
            <span class="quiet">since {day(person.since)}</span>
            {mayManage && person.person_id !== me.person.id ? (
              <button type="button" class="quiet-button danger-text" onClick={() => setRemoving(person)}>
                Remove
              </button>
            ) : null}
          </li>
        ))}
        {account.invitations.map((invitation) => (
          <li key={invitation.id}>
            <span class="quiet">{invitation.email ?? 'open link'} – invited</span>
            <span class="tag">{invitation.role}</span>
            <span class="quiet">until {day(invitation.expires_at)}</span>
            {mayManage ? (
              <button
                type="button"
                class="quiet-button"
                onClick={() => api.withdrawInvitation(account.id, invitation.id).then(changed, changed)}
              >
                Withdraw
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {inviting ? <InviteDialog accountId={account.id} onClose={close} /> : null}
      {removing ? (
        <Dialog title={`Remove ${removing.name}?`} onClose={close}>
          <p>They lose access to this account at once. Keys they made keep working.</p>
          <Form
            submit="Remove"
            danger
            onCancel={close}
            onSubmit={async () => {
              await api.removeMember(account.id, removing.person_id);
              close();
            }}
          />
        </Dialog>
      ) : null}
    </section>
  );
};

const Vocabulary = ({ account, changed }: { account: AccountDetail; changed: () => void }) => (
  <section class="card">
    <h2>Vocabulary</h2>
    <p class="quiet">
      Names and terms that are often said here, one per line. They are listened for and spelled your way.
    </p>
    <Form
      submit="Save vocabulary"
      onSubmit={async (values) => {
        const terms = textOf(values, 'terms')
          .split('\n')
          .map((term) => term.trim())
          .filter((term) => term !== '');
        await api.setVocabulary(account.id, terms);
        changed();
      }}
    >
      <textarea name="terms" rows={6} aria-label="Terms, one per line" spellcheck={false}>
        {account.vocabulary.join('\n')}
      </textarea>
    </Form>
  </section>
);

const Password = () => {
  const [saved, setSaved] = useState(false);
  return (
    <section class="card">
      <h2>Your sign-in</h2>
      {saved ? (
        <p class="notice notice-good" role="status">
          The password is changed. Other devices were signed out.
        </p>
      ) : null}
      <Form
        submit="Change password"
        onSubmit={async (values) => {
          await api.changePassword(String(values.get('current')), String(values.get('next')));
          setSaved(true);
        }}
      >
        <Field label="Current password" name="current" type="password" autocomplete="current-password" required />
        <Field
          label="New password"
          name="next"
          type="password"
          autocomplete="new-password"
          minLength={10}
          maxLength={256}
          required
        />
      </Form>
      <button
        type="button"
        class="quiet-button"
        onClick={() => api.signOutEverywhere().finally(() => location.assign(`${HOME}/`))}
      >
        Sign out everywhere
      </button>
    </section>
  );
};

export const AccountPage = () => {
  const { accountId } = useSession();
  const account = useLoad(() => api.account(accountId), [accountId]);
  return (
    <>
      <PageHead title="Account" lead="Limits, people and words of this account." />
      <Show of={account} what="the account">
        {(detail) => (
          <div class="columns">
            <Limits account={detail} />
            <People account={detail} changed={account.reload} />
            <Vocabulary account={detail} changed={account.reload} />
            <Password />
          </div>
        )}
      </Show>
    </>
  );
};
