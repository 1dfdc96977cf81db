// Record first, send as a file when done.
import { useEffect, useRef, useState } from 'preact/hooks';
import { LevelMeter } from './level-meter.tsx';
import { type Recording, startRecording } from './recorder.ts';
import { useElapsed, useLevel } from './use-level.ts';

interface Props {
  readonly disabled: boolean;
  readonly onRecording: (blob: Blob) => void;
  readonly onError: (error: Error) => void;
}

export const MicrophoneFile = ({ disabled, onRecording, onError }: Props) => {
  const [recording, setRecording] = useState<Recording | null>(null);
  const current = useRef<Recording | null>(null);
  current.current = recording;
  useEffect(() => () => current.current?.discard(), []);
  const level = useLevel(recording?.stream ?? null);
  const elapsed = useElapsed(recording !== null);
  const stop = async () => {
    if (!recording) return;
    setRecording(null);
    onRecording(await recording.stop());
  };
  return (
    <div class="drop">
      {recording ? (
        <>
          <LevelMeter level={level} elapsedSeconds={elapsed} />
          <button type="button" class="danger" onClick={stop}>
            Stop and transcribe
          </button>
        </>
      ) : (
        <>
          <p>Record a voice note. It is sent when you stop, and kept nowhere.</p>
          <button
            type="button"
            class="primary"
            disabled={disabled}
            onClick={() => startRecording().then(setRecording, onError)}
          >
            Record
          </button>
        </>
      )}
    </div>
  );
};
