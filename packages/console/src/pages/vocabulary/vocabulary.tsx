// The vocabulary of the account, and how often each term was used.
import { type AccountDetail, weightAfter } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { Form, textOf } from '../../components/form.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty, Show } from '../../components/states.tsx';
import { count, counted, day } from '../../format.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useSession } from '../../session.ts';

const TERMS_MAX = 500;
const UNUSED_SHOWN_MAX = 12;

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((term) => term.trim())
    .filter((term) => term !== '');

/** Without duplicates, as the server stores the terms. */
const termsIn = (text: string): string[] => [...new Set(linesIn(text))];

/** Unsaved text survives until the tab is closed, because signing in again may leave the page. */
const draftKey = (accountId: string): string => `faircopy.vocabulary-draft.${accountId}`;

const Editor = ({ account, onChange }: { account: AccountDetail; onChange: () => void }) => {
  const saved = account.vocabulary.join('\n');
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey(account.id)) ?? saved);
  const type = (typed: string) => {
    setText(typed);
    if (typed === saved) sessionStorage.removeItem(draftKey(account.id));
    else sessionStorage.setItem(draftKey(account.id), typed);
  };
  const terms = termsIn(text);
  const duplicates = linesIn(text).length - terms.length;
  return (
    <section class="card">
      <h2>Terms</h2>
      <p class="muted">
        {count(terms.length)} of at most {count(TERMS_MAX)}, one per line
        {duplicates > 0 ? `; ${counted(duplicates, 'duplicate')} will be dropped` : ''}. Recognition favours these
        terms, and near misses are corrected to them.
      </p>
      <Form
        submit="Save vocabulary"
        saved="Saved"
        onSubmit={async (values) => {
          await api.setVocabulary(account.id, termsIn(textOf(values, 'terms')), account.vocabulary);
          sessionStorage.removeItem(draftKey(account.id));
          onChange();
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

const FalseAlarms = ({ alarms }: { alarms: AccountDetail['false_alarms'] }) =>
  alarms.length === 0 ? null : (
    <section class="card" data-testid="false-alarms">
      <h2>False alarms</h2>
      <p class="muted">Terms that people undid in transcripts.</p>
      <ul class="item-list">
        {alarms.map(({ term, count: times }) => (
          <li key={term}>
            <strong class="name">
              <bdi>{term}</bdi>
            </strong>
            <span class="muted">
              {counted(times, 'false alarm')}
              {weightAfter(times) < 1 ? (
                <span class="secondary">
                  {weightAfter(times) === 0 ? 'only its spelling is corrected' : 'it needs more evidence'}. Remove it,
                  or add “(sounds like …)” to it.
                </span>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );

const Use = ({ use }: { use: TermUse }) => (
  <li>
    <span class="name">
      <bdi>{use.term}</bdi>
    </span>
    <span class="muted">
      written {counted(use.written, 'time')}
      {use.mended > 0 ? `, ${count(use.mended)} corrected` : ''}
      <span class="secondary">last on {day(use.last_day)}</span>
    </span>
  </li>
);

/** The most useful terms first. Unused terms are counted and listed on demand. */
const UseList = ({ account }: { account: AccountDetail }) => {
  const present = new Set(account.vocabulary);
  const uses = account.vocabulary_uses
    .filter(({ term }) => present.has(term))
    .sort((a, b) => b.mended - a.mended || b.written - a.written);
  const used = new Set(uses.map(({ term }) => term));
  const unused = account.vocabulary.filter((term) => !used.has(term));
  return (
    <div data-testid="term-uses">
      <ul class="item-list">
        {uses.map((use) => (
          <Use key={use.term} use={use} />
        ))}
      </ul>
      {unused.length === 0 ? null : (
        <details open={uses.length === 0 && unused.length <= UNUSED_SHOWN_MAX}>
          <summary>{counted(unused.length, 'unused term')}</summary>
          <ul class="item-list">
            {unused.map((term) => (
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
        <h2>Use</h2>
        <p class="muted">This server does not count how often terms are used.</p>
      </section>
    );
  return (
    <section class="card">
      <h2>Use in the last 30 days</h2>
      {account.vocabulary.length === 0 ? (
        <Empty title="No terms yet">
          <p>Start with names of people, products and places.</p>
        </Empty>
      ) : (
        <UseList account={account} />
      )}
      <p class="hint">Only these counts are stored, never the text around a term.</p>
    </section>
  );
};

export const VocabularyPage = () => {
  const { accountId, account: open } = useSession();
  const account = useLoad(() => api.account(accountId), [accountId]);
  return (
    <>
      <PageHeader
        title="Vocabulary"
        of={open.name}
        lead="Names and terms that are common in your recordings, and how often they are used."
      />
      <Show of={account} what="the vocabulary">
        {(detail) => (
          <div class="columns">
            <Editor account={detail} onChange={account.reload} />
            <div>
              <Uses account={detail} />
              <FalseAlarms alarms={detail.false_alarms} />
            </div>
          </div>
        )}
      </Show>
    </>
  );
};
