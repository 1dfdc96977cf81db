// Speak live: words appear while you speak, interim grey, final black.
import type { Faircopy } from '@faircopy/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Captions, captionAfter, type FinalEvent, NO_CAPTION } from './captions.tsx';
import { LevelMeter } from './level-meter.tsx';
import { type LiveCall, startLive } from './live-call.ts';
import type { Options } from './options.tsx';
import { useElapsed, useLevel } from './use-level.ts';

interface Props {
  readonly options: Options;
  readonly client: () => Promise<Faircopy>;
  readonly onStart: () => void;
  readonly onSpoken: (finals: readonly FinalEvent[], recording: Blob) => void;
  readonly onError: (error: Error) => void;
}

type Phase =
  | { readonly name: 'idle' | 'opening' }
  | { readonly name: 'speaking' | 'finishing'; readonly call: LiveCall };

export const MicrophoneLive = (props: Props) => {
  const [phase, setPhase] = useState<Phase>({ name: 'idle' });
  const [caption, setCaption] = useState(NO_CAPTION);
  const latest = useRef({ phase, caption });
  latest.current = { phase, caption };
  useEffect(
    () => () => {
      const { phase: last } = latest.current;
      if ('call' in last) last.call.abandon();
    },
    [],
  );
  const call = 'call' in phase ? phase.call : null;
  const level = useLevel(phase.name === 'speaking' ? phase.call.media : null);
  const elapsed = useElapsed(phase.name === 'speaking');
  const fail = (thrown: unknown) => {
    setPhase({ name: 'idle' });
    props.onError(thrown instanceof Error ? thrown : new Error(String(thrown)));
  };

  const start = async () => {
    setPhase({ name: 'opening' });
    setCaption(NO_CAPTION);
    props.onStart();
    try {
      const live = await startLive(await props.client(), props.options, (event) =>
        setCaption((before) => captionAfter(before, event)),
      );
      setPhase({ name: 'speaking', call: live });
      // A stream may end by itself: the server is restarting, or the time is up.
      live.ended.catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  };
  const stop = async () => {
    if (!call) return;
    setPhase({ name: 'finishing', call });
    // A failure reaches `fail` through `ended`.
    const recording = await call.finish().catch(() => null);
    if (!recording) return;
    setPhase({ name: 'idle' });
    props.onSpoken(latest.current.caption.finals, recording);
  };
  return (
    <div class="drop">
      {phase.name === 'idle' ? (
        <>
          <p>Speak, and watch the words settle: grey may still change, black stays.</p>
          <button type="button" class="primary" onClick={start}>
            Start speaking
          </button>
        </>
      ) : (
        <>
          <LevelMeter level={level} elapsedSeconds={elapsed} />
          <Captions caption={caption} />
          <button type="button" class="danger" disabled={phase.name !== 'speaking'} onClick={stop}>
            {phase.name === 'finishing' ? 'One moment…' : 'Stop'}
          </button>
        </>
      )}
    </div>
  );
};
