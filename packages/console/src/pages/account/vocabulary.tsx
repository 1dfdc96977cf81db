// The account's own words: what they are, and what each of them did lately.
import type { AccountDetail } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { Form, textOf } from '../../parts/form.tsx';
import { counted, day } from '../../parts/format.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { useSession } from '../../session.ts';

const termsIn = (text: string): string[] =>
  text
    .split('\n')
    .map((term) => term.trim())
    .filter((term) => term !== '');

/** What is typed and not saved is kept until the tab is closed: a sign-in elsewhere may lead away from the page. */
const draftKey = (accountId: string): string => `faircopy.vocabulary-draft.${accountId}`;

const Editor = ({ account, changed }: { account: AccountDetail; changed: () => void }) => {
  const saved = account.vocabulary.join('\n');
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey(account.id)) ?? saved);
  const type = (typed: string) => {
    setText(typed);
    if (typed === saved) sessionStorage.removeItem(draftKey(account.id));
    else sessionStorage.setItem(draftKey(account.id), typed);
  };
  return (
    <section class="card">
      <h2>Terms</h2>
      <p class="quiet">One per line, at most 500. They are listened for, and near-misses are spelled your way.</p>
      <Form
        submit="Save vocabulary"
        saved="Saved"
        onSubmit={async (values) => {
          await api.setVocabulary(account.id, termsIn(textOf(values, 'terms')), account.vocabulary);
          sessionStorage.removeItem(draftKey(account.id));
          changed();
        }}
      >
        <textarea
          name="terms"
          rows={14}
          aria-label="Terms, one per line"
          spellcheck={false}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </Form>
    </section>
  );
};

const Uses = ({ account }: { account: AccountDetail }) => {
  const uses = new Map(account.vocabulary_uses.map((use) => [use.term, use]));
  return (
    <section class="card">
      <h2>What they did in the last 30 days</h2>
      {account.vocabulary.length === 0 ? (
        <Empty title="No terms yet">
          <p>Names of people, products and places are a good beginning.</p>
        </Empty>
      ) : (
        <ul class="people" data-testid="term-uses">
          {account.vocabulary.map((term) => {
            const use = uses.get(term);
            return (
              <li key={term}>
                <strong class="name">
                  <bdi>{term}</bdi>
                </strong>
                <span class="quiet">
                  {use
                    ? `written ${counted(use.written, 'time')}${use.mended > 0 ? `, ${use.mended} of them mended` : ''}, last on ${day(use.last_day)}`
                    : 'not heard'}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      <p class="hint">Only these counts are kept, never what was said around a term.</p>
    </section>
  );
};

export const VocabularyPage = () => {
  const { accountId, account: chosen } = useSession();
  const account = useLoad(() => api.account(accountId), [accountId]);
  return (
    <>
      <PageHead
        title="Vocabulary"
        of={chosen.name}
        lead="Names and terms that are often said in this account, and what came of them."
      />
      <Show of={account} what="the vocabulary">
        {(detail) => (
          <div class="columns">
            <Editor account={detail} changed={account.reload} />
            <Uses account={detail} />
          </div>
        )}
      </Show>
    </>
  );
};
