// The recordings that were sent: how far each is, what became of it, and which one is shown below.
import { amount, bytes } from '../../parts/format.ts';
import { codeOf } from '../../parts/states.tsx';
import type { Job, Jobs } from './jobs.ts';
import { MicrophoneProblem } from './microphone-problem.ts';

const HELP: Record<string, string> = {
  AUDIO_FORMAT_UNSUPPORTED:
    'Faircopy takes wav, ogg, webm, mp3, m4a, mp4, aac, flac, aiff and caf. Convert other files first, for example with: ffmpeg -i recording.xyz recording.ogg',
  AUDIO_TOO_LONG: 'Cut the recording, or ask an administrator to raise the limit of this account.',
  FILE_TOO_LARGE: 'Save it as mp3, ogg or m4a: the same recording is then far smaller than as wav.',
  SERVICE_UNAVAILABLE: 'The server is busy or still starting. Nothing was billed; try again in a moment.',
  CONCURRENT_LIMIT_EXCEEDED: 'Wait until another stream or file of this account has ended, then try again.',
  CONNECTION_FAILED: 'Check that the server runs and that you are online, then try again.',
  INVALID_REQUEST: 'The file may be empty. Choose another one.',
};

export const helpFor = (error: Error): string | undefined =>
  error instanceof MicrophoneProblem ? undefined : HELP[codeOf(error) ?? ''];

const stateText = ({ state }: Job): string => {
  switch (state.name) {
    case 'waiting':
      return 'Waiting';
    case 'sending':
      return `Sending, ${Math.round(state.sentShare * 100)} %`;
    case 'transcribing':
      return 'Transcribing';
    case 'answered':
    case 'spoken':
      return 'Done';
    case 'failed':
      return 'Failed';
    case 'cancelled':
      return 'Cancelled';
  }
};

const Progress = ({ job }: { job: Job }) => {
  if (job.state.name === 'sending')
    return <progress max={1} value={job.state.sentShare} aria-label={`Upload of ${job.name}`} />;
  return job.state.name === 'transcribing' ? <progress aria-label={`Transcription of ${job.name}`} /> : null;
};

const factsOf = (job: Job): string =>
  [
    bytes(job.audio.size),
    job.state.name === 'answered'
      ? amount(job.state.answer.result.duration_seconds)
      : job.lengthSeconds === null
        ? null
        : amount(job.lengthSeconds),
    stateText(job),
  ]
    .filter(Boolean)
    .join(' · ');

const Item = ({ job, jobs, shown, onShow }: { job: Job; jobs: Jobs; shown: boolean; onShow: () => void }) => {
  const isOver = job.state.name !== 'waiting' && job.state.name !== 'sending' && job.state.name !== 'transcribing';
  return (
    <li class={shown ? 'job job-shown' : 'job'}>
      <div class="job-line">
        <span class="job-name">
          <bdi class="name">{job.name}</bdi>
          <span class="quiet small" role="status">
            {factsOf(job)}
          </span>
        </span>
        <span class="actions">
          {(job.state.name === 'answered' || job.state.name === 'spoken') && !shown ? (
            <button type="button" class="quiet-button" onClick={onShow}>
              Show<span class="unseen"> {job.name}</span>
            </button>
          ) : null}
          {job.state.name === 'failed' ? (
            <button type="button" class="quiet-button" onClick={() => jobs.retry(job.id)}>
              Try again<span class="unseen"> {job.name}</span>
            </button>
          ) : null}
          <button type="button" class="quiet-button" onClick={() => jobs.remove(job.id)}>
            {isOver ? 'Remove' : 'Cancel'}
            <span class="unseen"> {job.name}</span>
          </button>
        </span>
      </div>
      <Progress job={job} />
      {job.state.name === 'failed' ? (
        <div class="notice notice-bad" role="alert">
          <div>
            <p>{job.state.error.message}</p>
            {helpFor(job.state.error) ? <p>{helpFor(job.state.error)}</p> : null}
            {codeOf(job.state.error) ? <p class="small">{codeOf(job.state.error)}</p> : null}
          </div>
        </div>
      ) : null}
    </li>
  );
};

export const JobList = (props: { jobs: Jobs; shownId: number | null; onShow: (id: number) => void }) => (
  <ul class="jobs" aria-label="Recordings">
    {props.jobs.jobs.map((job) => (
      <Item
        key={job.id}
        job={job}
        jobs={props.jobs}
        shown={job.id === props.shownId}
        onShow={() => props.onShow(job.id)}
      />
    ))}
  </ul>
);
