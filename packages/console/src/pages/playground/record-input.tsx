// Records the microphone and sends the recording as a file.
import { useEffect, useRef, useState } from 'preact/hooks';
import { LevelMeter } from './level-meter.tsx';
import { type Recorder, startRecorder } from './recorder.ts';
import { useElapsed, useLevel } from './use-level.ts';

interface Props {
  readonly onRecording: (audio: Blob) => void;
  readonly onError: (error: Error | null) => void;
}

export const RecordInput = ({ onRecording, onError }: Props) => {
  const [recorder, setRecorder] = useState<Recorder | null>(null);
  const latest = useRef<Recorder | null>(null);
  latest.current = recorder;
  useEffect(() => () => latest.current?.discard(), []);
  const level = useLevel(recorder?.stream ?? null);
  const elapsed = useElapsed(recorder !== null);
  const start = () => {
    onError(null);
    startRecorder().then(setRecorder, onError);
  };
  const stop = async () => {
    if (!recorder) return;
    setRecorder(null);
    onRecording(await recorder.stop());
  };
  return (
    <div class="audio-input">
      {recorder ? (
        <>
          <LevelMeter level={level} elapsedSeconds={elapsed} />
          <button type="button" class="danger" onClick={stop}>
            Stop and transcribe
          </button>
        </>
      ) : (
        <>
          <p>Record a voice note. It is sent when you stop, and kept only in this tab.</p>
          <button type="button" class="primary" onClick={start}>
            Record
          </button>
        </>
      )}
    </div>
  );
};
