// Live speech: words appear while the user speaks.
import type { Faircopy } from '@faircopy/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { asError } from '../../errors.ts';
import { Captions, captionAfter, type FinalEvent, NO_CAPTION } from './captions.tsx';
import { LevelMeter } from './level-meter.tsx';
import { type LiveSession, startLiveSession } from './live-session.ts';
import type { Options } from './options.tsx';
import { useElapsed, useLevel } from './use-level.ts';

interface Props {
  readonly options: Options;
  readonly client: () => Promise<Faircopy>;
  readonly onStart: () => void;
  readonly onFinish: (finals: readonly FinalEvent[], recording: Blob) => void;
  readonly onError: (error: Error) => void;
}

type Phase =
  | { readonly name: 'idle' | 'opening' }
  | { readonly name: 'speaking' | 'finishing'; readonly session: LiveSession };

export const LiveInput = (props: Props) => {
  const [phase, setPhase] = useState<Phase>({ name: 'idle' });
  const [caption, setCaption] = useState(NO_CAPTION);
  const latest = useRef({ phase, caption });
  latest.current = { phase, caption };
  useEffect(
    () => () => {
      const { phase: last } = latest.current;
      if ('session' in last) last.session.abort();
    },
    [],
  );
  const level = useLevel(phase.name === 'speaking' ? phase.session.media : null);
  const elapsed = useElapsed(phase.name === 'speaking');
  const fail = (thrown: unknown) => {
    setPhase({ name: 'idle' });
    props.onError(asError(thrown));
  };

  const start = async () => {
    setPhase({ name: 'opening' });
    setCaption(NO_CAPTION);
    props.onStart();
    try {
      const session = await startLiveSession(await props.client(), props.options, (event) =>
        setCaption((before) => captionAfter(before, event)),
      );
      setPhase({ name: 'speaking', session });
      // The server may end the stream, for example when it restarts.
      session.ended.catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  };
  const stop = async () => {
    if (!('session' in phase)) return;
    const { session } = phase;
    setPhase({ name: 'finishing', session });
    // `ended` reports the error.
    const recording = await session.finish().catch(() => null);
    if (!recording) return;
    setPhase({ name: 'idle' });
    props.onFinish(latest.current.caption.finals, recording);
  };
  return (
    <div class="audio-input">
      {phase.name === 'idle' ? (
        <>
          <p>Words appear as you speak. Grey text may still change, black text is final.</p>
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
