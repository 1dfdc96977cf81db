// Speak live: audio goes to the server while you speak, the transcript is there when you stop.
import type { Faircopy } from '@faircopy/client';
import type { SuccessResponse } from '@faircopy/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { LevelMeter } from './level-meter.tsx';
import { type LiveCall, startLive } from './live.ts';
import type { Options } from './options.tsx';
import { useElapsed, useLevel } from './use-level.ts';

interface Props {
  readonly options: Options;
  readonly disabled: boolean;
  readonly client: () => Promise<Faircopy>;
  readonly onSpeaking: () => void;
  readonly onFinalizing: () => void;
  readonly onAnswer: (answer: SuccessResponse) => void;
  readonly onError: (error: Error) => void;
}

export const MicrophoneLive = (props: Props) => {
  const [call, setCall] = useState<LiveCall | null>(null);
  const current = useRef<LiveCall | null>(null);
  current.current = call;
  useEffect(() => () => current.current?.abandon(), []);
  const level = useLevel(call?.media ?? null);
  const elapsed = useElapsed(call !== null);

  const start = async () => {
    try {
      const live = await startLive(await props.client(), props.options);
      setCall(live);
      props.onSpeaking();
      // A stream may end by itself: the server is restarting, or the time is up.
      live.ended.then(undefined, (error: Error) => {
        setCall(null);
        props.onError(error);
      });
    } catch (thrown) {
      props.onError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  };
  const stop = async () => {
    if (!call) return;
    setCall(null);
    props.onFinalizing();
    // A failure reaches onError through `ended`.
    await call.finish().then(props.onAnswer, () => {});
  };
  return (
    <div class="drop">
      {call ? (
        <>
          <LevelMeter level={level} elapsedSeconds={elapsed} />
          <button type="button" class="danger" onClick={stop}>
            Stop
          </button>
        </>
      ) : (
        <>
          <p>Speak, and stop when you are done. The answer follows at once.</p>
          <button type="button" class="primary" disabled={props.disabled} onClick={start}>
            Start speaking
          </button>
        </>
      )}
    </div>
  );
};
