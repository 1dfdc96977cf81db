// Record first, send as a file when done.
import { useEffect, useRef, useState } from 'preact/hooks';
import { LevelMeter } from './level-meter.tsx';
import { type Recording, startRecording } from './recorder.ts';
import { useElapsed, useLevel } from './use-level.ts';

interface Props {
  readonly onRecording: (blob: Blob) => void;
  readonly onError: (error: Error | null) => void;
}

export const MicrophoneFile = ({ onRecording, onError }: Props) => {
  const [recording, setRecording] = useState<Recording | null>(null);
  const current = useRef<Recording | null>(null);
  current.current = recording;
  useEffect(() => () => current.current?.discard(), []);
  const level = useLevel(recording?.stream ?? null);
  const elapsed = useElapsed(recording !== null);
  const start = () => {
    onError(null);
    startRecording().then(setRecording, onError);
  };
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
          <p>Record a voice note. It is sent when you stop, and kept nowhere but in this tab.</p>
          <button type="button" class="primary" onClick={start}>
            Record
          </button>
        </>
      )}
    </div>
  );
};
