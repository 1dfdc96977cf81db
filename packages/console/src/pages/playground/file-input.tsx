// File input: choose files, drop them, or load the sample.
import { useRef, useState } from 'preact/hooks';
import { amount } from '../../format.ts';
import { CONSOLE_PATH } from '../../paths.ts';

interface FileInputProps {
  readonly maxDurationSeconds: number;
  readonly maxMegabytes: number;
  readonly onFiles: (files: readonly File[]) => void;
}

const ACCEPTED = 'audio/*,video/mp4,video/webm,video/quicktime,video/3gpp,.opus,.oga,.mka,.mkv,.caf,.aif,.aiff,.aifc';

const fetchSample = async (): Promise<File> => {
  const answer = await fetch(`${CONSOLE_PATH}/sample.ogg`);
  return new File([await answer.blob()], 'sample.ogg', { type: 'audio/ogg' });
};

export const FileInput = ({ maxDurationSeconds, maxMegabytes, onFiles }: FileInputProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    if (files && files.length > 0) onFiles([...files]);
    // Lets the user choose the same file again.
    if (input.current) input.current.value = '';
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button below does the same by keyboard
    <div
      class={`audio-input ${over ? 'audio-input-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <p class="only-with-mouse">Drop recordings here</p>
      <p class="muted small">
        wav, ogg, webm, mp3, m4a, mp4, flac and more. Up to {amount(maxDurationSeconds)} and {maxMegabytes} MB each.
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => input.current?.click()}>
          Choose files
        </button>
        <button type="button" onClick={() => void fetchSample().then((sample) => onFiles([sample]))}>
          Try a sample
        </button>
      </div>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Audio files"
        accept={ACCEPTED}
        onChange={(event) => take(event.currentTarget.files)}
      />
    </div>
  );
};
