// One transcript: read, heard, compared with what was said, changed, and taken away.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { count, counted, seconds } from '../../../parts/format.ts';
import { CodeBox } from '../../../parts/scroll-box.tsx';
import { Tabs } from '../../../parts/tabs.tsx';
import { useSession } from '../../../session.ts';
import type { Job } from '../jobs.ts';
import { languageName } from '../options.tsx';
import { ChangeDetails, Kinds } from './changes-panel.tsx';
import { Downloads } from './downloads.tsx';
import { corrected, heldChanges, textOf, type Work, wordsOf, workOn } from './model.ts';
import { countCorrections, type Offer, Offers } from './offers.tsx';
import { Player, usePlayer } from './player.tsx';
import { MarkedText, PlainText, SideBySide } from './text-views.tsx';

const VIEWS = [
  ['text', 'Text'],
  ['changes', 'Changes'],
  ['both', 'Side by side'],
  ['edit', 'Correct'],
] as const;
type View = (typeof VIEWS)[number][0];

const Facts = ({ job }: { job: Job }) => {
  if (job.state.name !== 'answered') return null;
  const { result, usage, request_id: requestId } = job.state.answer;
  const language = result.detected_language;
  return (
    <>
      <dl class="pairs">
        <dt>Language</dt>
        <dd>{language ? `${languageName(language)} (${language})` : 'not certain'}</dd>
        <dt>Duration</dt>
        <dd>{seconds(result.duration_seconds)}</dd>
        <dt>Billed</dt>
        <dd>{seconds(usage.billed_audio_seconds)}</dd>
        <dt>Tokens</dt>
        <dd>{count(usage.output_token_count)}</dd>
        <dt>Request</dt>
        <dd>
          <code>{requestId}</code>
        </dd>
      </dl>
      <details>
        <summary>Raw JSON</summary>
        <CodeBox label="Raw JSON" text={JSON.stringify(job.state.answer, null, 2)} />
      </details>
    </>
  );
};

/** Which word is under the play head: the last that has begun. */
const wordAt = (words: ReturnType<typeof wordsOf>, atMs: number): number | null => {
  const index = words.findLastIndex(({ startMs }) => startMs <= atMs);
  return index === -1 || atMs > words[index]!.endMs + 300 ? null : index;
};

const Correct = ({ text, onText }: { text: string; onText: (text: string) => void }) => {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  return (
    <div class="correct">
      <textarea
        rows={8}
        aria-label="The text, to correct"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <div class="actions">
        <button type="button" disabled={typed === text} onClick={() => setTyped(text)}>
          Discard
        </button>
        <button type="button" class="primary" disabled={typed === text} onClick={() => onText(typed)}>
          Apply corrections
        </button>
      </div>
    </div>
  );
};

const Written = ({ job, begun }: { job: Job; begun: Work }) => {
  const { accountId } = useSession();
  const [work, setWork] = useState(begun);
  const [view, setView] = useState<View>('text');
  const [chosenId, setChosenId] = useState<number | null>(null);
  const [offers, setOffers] = useState<readonly Offer[]>([]);
  const element = useRef<HTMLAudioElement>(null);
  const player = usePlayer(job.audio, element);
  const text = useMemo(() => textOf(work), [work]);
  const words = useMemo(() => wordsOf(work), [work]);
  const now = player.head.seconds > 0 ? wordAt(words, player.head.seconds * 1000) : null;
  const shared = {
    ...{ work, text, words, now },
    onPlay: player.head.state === 'unplayable' ? null : (atMs: number) => player.playFrom(atMs / 1000),
  };
  const chosen = work.changes.find(({ id }) => id === chosenId);
  const correct = (typed: string) => {
    setOffers(countCorrections(accountId, text, typed));
    setWork(corrected(work, typed));
    setView('text');
  };
  return (
    <section class="card" aria-label={`Transcript of ${job.name}`}>
      <div class="card-head">
        <div>
          <h2>Transcript</h2>
          <p class="quiet small">
            <bdi>{job.name}</bdi> · {counted(heldChanges(work).length, 'change')} between what was heard and this text
          </p>
        </div>
        {text ? <CopyButton text={text} label="Copy text" /> : null}
      </div>
      <Player audio={job.audio} element={element} player={player} />
      <Tabs label="How the text is shown" tabs={VIEWS} chosen={view} onChoose={setView}>
        {view === 'text' ? <PlainText {...shared} /> : null}
        {view === 'both' ? <SideBySide {...shared} /> : null}
        {view === 'edit' ? <Correct text={text} onText={correct} /> : null}
        {view === 'changes' ? (
          <>
            {work.changes.length === 0 ? (
              <p class="quiet">Nothing was changed: this is what was heard.</p>
            ) : (
              <p class="quiet small">Choose a change to see which pass made it and why, and to take it back.</p>
            )}
            <MarkedText {...shared} chosenId={chosenId} onChoose={setChosenId} />
            {chosen ? <ChangeDetails work={work} onWork={setWork} change={chosen} /> : null}
            {work.changes.length > 0 ? <Kinds work={work} onWork={setWork} /> : null}
          </>
        ) : null}
      </Tabs>
      <Offers offers={offers} onDone={(done) => setOffers(offers.filter((offer) => offer !== done))} />
      <p class="quiet small">
        Click a word to hear it. <span class="unsure">Shaded words</span> were heard with little certainty.
      </p>
      <Downloads work={work} job={job} />
      <Facts job={job} />
    </section>
  );
};

export const TranscriptView = ({ job }: { job: Job }) => {
  const begun = useMemo(() => workOn(job), []);
  return begun ? <Written job={job} begun={begun} /> : null;
};
