// What came back: the transcript first, then the figures, then the raw JSON.
import type { SuccessResponse } from '@faircopy/contract';
import { CopyButton } from '../../parts/copy-button.tsx';
import { count, seconds } from '../../parts/format.ts';
import { codeOf, Failure, Loading } from '../../parts/states.tsx';
import { languageName } from './options.tsx';

export type Outcome =
  | { readonly state: 'none' }
  | { readonly state: 'waiting' }
  | { readonly state: 'answered'; readonly answer: SuccessResponse }
  | { readonly state: 'failed'; readonly error: Error };

const HELP: Record<string, string> = {
  AUDIO_FORMAT_UNSUPPORTED: 'Use a wav, ogg or webm file. Recordings made here are webm.',
  AUDIO_TOO_LONG: 'Cut the recording, or ask an administrator to raise the limit of this account.',
  FILE_TOO_LARGE: 'Send at most 50 MB; an ogg or webm file is far smaller than a wav.',
  SERVICE_UNAVAILABLE: 'The server is busy or still starting. Nothing was billed; try again in a moment.',
  CONCURRENT_LIMIT_EXCEEDED: 'Close another live stream of this account first.',
  UNAUTHORIZED: 'The playground’s key ran out. Reload the page.',
};

const helpFor = (error: Error): string | undefined => HELP[codeOf(error) ?? ''];

const Answered = ({ answer }: { answer: SuccessResponse }) => {
  const { transcript, detected_language: language, duration_seconds: duration } = answer.result;
  return (
    <section class="card" aria-live="polite">
      <div class="card-head">
        <h2>Transcript</h2>
        {transcript ? <CopyButton text={transcript} /> : null}
      </div>
      <p class="transcript" data-testid="transcript" lang={language ?? ''} dir="auto">
        {transcript || <span class="quiet">Nothing was said.</span>}
      </p>
      <dl class="pairs">
        <dt>Language</dt>
        <dd>{language ? `${languageName(language)} (${language})` : 'not certain'}</dd>
        <dt>Duration</dt>
        <dd>{seconds(duration)}</dd>
        <dt>Billed</dt>
        <dd>{seconds(answer.usage.billed_audio_seconds)}</dd>
        <dt>Tokens</dt>
        <dd>{count(answer.usage.output_token_count)}</dd>
        <dt>Request</dt>
        <dd>
          <code>{answer.request_id}</code>
        </dd>
      </dl>
      <details>
        <summary>Raw JSON</summary>
        <pre>
          <code>{JSON.stringify(answer, null, 2)}</code>
        </pre>
      </details>
    </section>
  );
};

export const Answer = ({ outcome }: { outcome: Outcome }) => {
  switch (outcome.state) {
    case 'none':
      return null;
    case 'waiting':
      return <Loading what="the transcript" />;
    case 'answered':
      return <Answered answer={outcome.answer} />;
    case 'failed':
      return (
        <div>
          <Failure error={outcome.error} />
          {helpFor(outcome.error) ? <p class="hint">{helpFor(outcome.error)}</p> : null}
        </div>
      );
  }
};
