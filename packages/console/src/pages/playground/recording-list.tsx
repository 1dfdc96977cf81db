// The list of recordings, with their progress, errors and actions.
import { useState } from 'preact/hooks';
import { RowAction } from '../../components/data-table.tsx';
import { codeOf } from '../../errors.ts';
import { amount, bytes, counted } from '../../format.ts';
import { MicrophoneError } from './microphone-error.ts';
import { isActive, isDone, type Recording, type Recordings } from './recordings.ts';

const HELP: Record<string, string> = {
  AUDIO_FORMAT_UNSUPPORTED:
    'Faircopy accepts wav, ogg, webm, mp3, m4a, mp4, aac, flac, aiff and caf. Convert other files first, for example with: ffmpeg -i recording.xyz recording.ogg',
  AUDIO_TOO_LONG: 'Cut the recording, or ask an administrator to raise the limit of this account.',
  FILE_TOO_LARGE: 'Save it as mp3, ogg or m4a, which are much smaller than wav.',
  SERVICE_UNAVAILABLE: 'The server is busy or still starting. Nothing was billed. Try again in a moment.',
  CONCURRENT_LIMIT_EXCEEDED: 'Wait until another stream or file of this account has ended, then try again.',
  CONNECTION_FAILED: 'Check that the server is running and that you are online, then try again.',
  INVALID_REQUEST: 'The file may be empty. Choose another one.',
};

export const helpFor = (error: Error): string | undefined =>
  error instanceof MicrophoneError ? undefined : HELP[codeOf(error) ?? ''];

const stateText = ({ state }: Recording): string => {
  switch (state.name) {
    case 'waiting':
      return 'Waiting';
    case 'sending':
      return `Sending, ${Math.round(state.sentShare * 100)} %`;
    case 'transcribing':
      return 'Transcribing';
    case 'answered':
    case 'live':
      return 'Done';
    case 'failed':
      return 'Failed';
  }
};

const Progress = ({ recording: { name, state } }: { recording: Recording }) => {
  if (state.name === 'sending') return <progress max={1} value={state.sentShare} aria-label={`Upload of ${name}`} />;
  return state.name === 'transcribing' ? <progress aria-label={`Transcription of ${name}`} /> : null;
};

const factsOf = (recording: Recording): string => {
  const { state, durationSeconds } = recording;
  const duration = state.name === 'answered' ? state.answer.result.duration_seconds : durationSeconds;
  return [bytes(recording.audio.size), duration === null ? null : amount(duration), stateText(recording)]
    .filter(Boolean)
    .join(' · ');
};

interface ItemProps {
  readonly recording: Recording;
  readonly recordings: Recordings;
  readonly isShown: boolean;
  readonly onShow: () => void;
}

const Item = ({ recording, recordings, isShown, onShow }: ItemProps) => {
  const { id, name, state } = recording;
  return (
    <li class={isShown ? 'recording recording-shown' : 'recording'}>
      <div class="recording-line">
        <span class="recording-name">
          <bdi class="name">{name}</bdi>
          <span class="muted small" role="status">
            {factsOf(recording)}
          </span>
        </span>
        <span class="actions">
          {isDone(recording) && !isShown ? <RowAction text="Show" of={name} onClick={onShow} /> : null}
          <RowAction
            text={isActive(recording) || state.name === 'waiting' ? 'Cancel' : 'Remove'}
            of={name}
            onClick={() => recordings.remove(id)}
          />
        </span>
      </div>
      <Progress recording={recording} />
    </li>
  );
};

/** A failed file takes one line. Advice is shown on demand. */
const FailedItem = ({ recording: { id, name, state }, recordings }: Pick<ItemProps, 'recording' | 'recordings'>) => {
  const [isOpen, setOpen] = useState(false);
  if (state.name !== 'failed') return null;
  const { error } = state;
  const help = helpFor(error);
  return (
    <li class="recording">
      <div class="recording-line">
        <span class="failed-name" role="status">
          <bdi class="name">{name}</bdi>
          <span class="failure" title={error.message}>
            {error.message}
          </span>
        </span>
        <span class="actions">
          {help ? (
            <button type="button" class="text-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Less' : 'What to do'}
              <span class="visually-hidden"> about {name}</span>
            </button>
          ) : null}
          <RowAction text="Try again" of={name} onClick={() => recordings.retry(id)} />
          <RowAction text="Remove" of={name} onClick={() => recordings.remove(id)} />
        </span>
      </div>
      {isOpen ? (
        <p class="notice notice-bad">
          {error.message} {help}
        </p>
      ) : null}
    </li>
  );
};

/** More failed files than this are folded into one line. */
const FAILED_SHOWN_MAX = 3;

const Failed = ({ failed, recordings }: { failed: readonly Recording[]; recordings: Recordings }) => {
  const items = failed.map((recording) => (
    <FailedItem key={recording.id} recording={recording} recordings={recordings} />
  ));
  if (failed.length <= FAILED_SHOWN_MAX) return <>{items}</>;
  return (
    <li class="recording">
      <details class="failed-files">
        <summary>{counted(failed.length, 'file')} failed</summary>
        <ul aria-label="Failed files">{items}</ul>
        <RowAction
          text="Remove all"
          of="failed files"
          onClick={() => {
            for (const { id } of failed) recordings.remove(id);
          }}
        />
      </details>
    </li>
  );
};

interface RecordingListProps {
  readonly recordings: Recordings;
  readonly shownId: number | null;
  readonly onShow: (id: number) => void;
}

export const RecordingList = ({ recordings, shownId, onShow }: RecordingListProps) => {
  const isFailed = ({ state }: Recording) => state.name === 'failed';
  return (
    <ul class="recordings" aria-label="Recordings">
      {recordings.list
        .filter((recording) => !isFailed(recording))
        .map((recording) => (
          <Item
            key={recording.id}
            recording={recording}
            recordings={recordings}
            isShown={recording.id === shownId}
            onShow={() => onShow(recording.id)}
          />
        ))}
      <Failed failed={recordings.list.filter(isFailed)} recordings={recordings} />
    </ul>
  );
};
