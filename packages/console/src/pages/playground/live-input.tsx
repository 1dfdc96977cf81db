// Live speech: words appear while the user speaks.
import type { Faircopy } from '@faircopy/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { asError } from '../../errors.ts';
import { amount, clock } from '../../format.ts';
import { Captions, captionAfter, type FinalEvent, NO_CAPTION } from './captions.tsx';
import { LevelMeter } from './level-meter.tsx';
import { type AudioLoss, type LiveSession, startLiveSession } from './live-session.ts';
import type { Options } from './options.tsx';
import { useElapsed, useLevel } from './use-level.ts';

interface Props {
  readonly options: Options;
  readonly client: () => Promise<Faircopy>;
  readonly onStart: () => void;
  readonly onFinish: (finals: readonly FinalEvent[], recording: Blob) => void;
  readonly onError: (error: Error) => void;
}

const lossText = (loss: AudioLoss): string => {
  if (loss.kind === 'muted') return 'The microphone is muted, so your speech is not transcribed.';
  if (loss.kind === 'unplugged') return 'The microphone was disconnected. Stop, then start again.';
  return `The connection is slow: ${amount(Math.round(loss.waitingSeconds))} of audio is waiting to be sent.`;
};

type Phase =
  | { readonly name: 'idle' | 'opening' }
  | { readonly name: 'speaking' | 'finishing'; readonly session: LiveSession };

export const LiveInput = (props: Props) => {
  const [phase, setPhase] = useState<Phase>({ name: 'idle' });
  const [caption, setCaption] = useState(NO_CAPTION);
  const [loss, setLoss] = useState<AudioLoss | null>(null);
  const elapsed = useElapsed(phase.name === 'speaking');
  const latest = useRef({ phase, caption, elapsed });
  latest.current = { phase, caption, elapsed };
  useEffect(
    () => () => {
      const { phase: last } = latest.current;
      if ('session' in last) last.session.abort();
    },
    [],
  );
  const level = useLevel(phase.name === 'speaking' ? phase.session.media : null);
  const fail = (thrown: unknown) => {
    setPhase({ name: 'idle' });
    props.onError(asError(thrown));
  };

  const start = async () => {
    setPhase({ name: 'opening' });
    setCaption(NO_CAPTION);
    setLoss(null);
    props.onStart();
    try {
      const session = await startLiveSession(await props.client(), props.options, {
        onEvent: (event) => setCaption((before) => captionAfter(before, event)),
        onLoss: setLoss,
      });
      setPhase({ name: 'speaking', session });
      // The server may end the stream, for example when it restarts.
      session.ended.catch((thrown) => cutShort(session, thrown));
    } catch (thrown) {
      fail(thrown);
    }
  };
  /** Keeps what was said before the connection was lost. */
  const cutShort = async (session: LiveSession, thrown: unknown) => {
    const { caption: said, elapsed: lostAt, phase: last } = latest.current;
    const { name, message } = asError(thrown);
    if (last.name === 'idle' || name === 'AbortError') return;
    const recording = await session.salvage().catch(() => null);
    if (recording && said.finals.length > 0) props.onFinish(said.finals, recording);
    fail(new Error(`The connection was lost at ${clock(lostAt)}. What you said later was not transcribed. ${message}`));
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
          <p>Words appear as you speak. Grey text may still change; the rest is final.</p>
          <button type="button" class="primary" onClick={start}>
            Start speaking
          </button>
        </>
      ) : (
        <>
          <LevelMeter level={level} elapsedSeconds={elapsed} />
          <p class="notice notice-warning" role="alert" hidden={loss === null}>
            {loss ? lossText(loss) : ''}
          </p>
          <Captions caption={caption} />
          <button type="button" class="danger" disabled={phase.name !== 'speaking'} onClick={stop}>
            {phase.name === 'finishing' ? 'One moment…' : 'Stop'}
          </button>
        </>
      )}
    </div>
  );
};
