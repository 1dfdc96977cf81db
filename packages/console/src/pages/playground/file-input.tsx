// Choose or drop a file.
import { useRef, useState } from 'preact/hooks';

interface FileInputProps {
  readonly disabled: boolean;
  readonly onFile: (file: File) => void;
}

export const FileInput = ({ disabled, onFile }: FileInputProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file && !disabled) onFile(file);
    // The same file may be chosen twice in a row.
    if (input.current) input.current.value = '';
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the button below does the same by keyboard
    <div
      class={`drop ${over ? 'drop-over' : ''}`}
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
      <p>Drop a wav, ogg or webm file here, up to 50 MB.</p>
      <button type="button" class="primary" disabled={disabled} onClick={() => input.current?.click()}>
        Choose a file
      </button>
      <input
        ref={input}
        class="unseen"
        type="file"
        tabIndex={-1}
        aria-label="Audio file"
        accept="audio/wav,audio/ogg,audio/webm,video/webm,.wav,.ogg,.oga,.opus,.webm"
        onChange={(event) => take(event.currentTarget.files)}
      />
    </div>
  );
};
