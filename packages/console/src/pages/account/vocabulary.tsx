// The account's own words: what they are, and what each of them did lately.
import type { AccountDetail } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { Form, textOf } from '../../parts/form.tsx';
import { count, counted, day } from '../../parts/format.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { useSession } from '../../session.ts';

const TERMS_MAX = 500;
const IDLE_SHOWN_MAX = 12;

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
      <p class="quiet">
        {count(termsIn(text).length)} of at most {count(TERMS_MAX)}, one per line. They are listened for, and
        near-misses are spelled your way.
      </p>
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

type TermUse = AccountDetail['vocabulary_uses'][number];

const Use = ({ use }: { use: TermUse }) => (
  <li>
    <strong class="name">
      <bdi>{use.term}</bdi>
    </strong>
    <span class="quiet">
      written {counted(use.written, 'time')}
      {use.mended > 0 ? `, ${count(use.mended)} of them mended` : ''}
      <span class="below">last on {day(use.last_day)}</span>
    </span>
  </li>
);

/** The most useful first; those that did nothing are counted, and listed on demand. */
const UseList = ({ account }: { account: AccountDetail }) => {
  const present = new Set(account.vocabulary);
  const uses = account.vocabulary_uses
    .filter(({ term }) => present.has(term))
    .sort((a, b) => b.mended - a.mended || b.written - a.written);
  const used = new Set(uses.map(({ term }) => term));
  const idle = account.vocabulary.filter((term) => !used.has(term));
  return (
    <div data-testid="term-uses">
      <ul class="people">
        {uses.map((use) => (
          <Use key={use.term} use={use} />
        ))}
      </ul>
      {idle.length === 0 ? null : (
        <details open={uses.length === 0 && idle.length <= IDLE_SHOWN_MAX}>
          <summary>{counted(idle.length, 'term was', 'terms were')} not heard</summary>
          <ul class="people">
            {idle.map((term) => (
              <li key={term} class="name">
                <bdi>{term}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};

const Uses = ({ account }: { account: AccountDetail }) => {
  const { counts_vocabulary: isCounted } = useSession().me.server;
  if (!isCounted)
    return (
      <section class="card">
        <h2>What they did</h2>
        <p class="quiet">This server does not count how often terms are written: its operator has turned that off.</p>
      </section>
    );
  return (
    <section class="card">
      <h2>What they did in the last 30 days</h2>
      {account.vocabulary.length === 0 ? (
        <Empty title="No terms yet">
          <p>Names of people, products and places are a good beginning.</p>
        </Empty>
      ) : (
        <UseList account={account} />
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
