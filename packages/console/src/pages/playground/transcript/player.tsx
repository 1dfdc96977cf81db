// Plays a recording, with its waveform and position.
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { clock } from '../../../format.ts';
import { type Waveform, waveformOf } from './waveform.ts';

const INTERVALS = 240;

interface Position {
  readonly seconds: number;
  readonly state: 'playing' | 'paused' | 'unplayable';
}

interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

/** Word times are inexact, so muting needs a margin. Background tabs update the position less often and need more. */
const MARGIN_SECONDS = 0.08;
const HIDDEN_MARGIN_SECONDS = 0.4;

const isWithin = (stretches: readonly Stretch[], seconds: number): boolean => {
  const margin = document.hidden ? HIDDEN_MARGIN_SECONDS : MARGIN_SECONDS;
  return stretches.some(
    ({ startMs, endMs }) => seconds >= startMs / 1000 - margin && seconds <= endMs / 1000 + MARGIN_SECONDS,
  );
};

/** The URL of a recording, and the position and state of its player. `silenced` stretches are muted. */
export const usePlayer = (audio: Blob, element: RefObject<HTMLAudioElement>, silenced: readonly Stretch[] = []) => {
  const [url, setUrl] = useState<string | null>(null);
  const [position, setPosition] = useState<Position>({ seconds: 0, state: 'paused' });
  useEffect(() => {
    const created = URL.createObjectURL(audio);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [audio]);
  const silence = () => {
    const player = element.current;
    if (player) player.muted = isWithin(silenced, player.currentTime);
  };
  useEffect(silence, [silenced]);
  useEffect(() => {
    if (position.state !== 'playing') return;
    let frame = 0;
    const follow = () => {
      silence();
      setPosition((before) => ({ ...before, seconds: element.current?.currentTime ?? 0 }));
      frame = requestAnimationFrame(follow);
    };
    frame = requestAnimationFrame(follow);
    return () => cancelAnimationFrame(frame);
  }, [position.state, silenced]);
  const playFrom = (seconds: number) => {
    const player = element.current;
    if (!player || position.state === 'unplayable') return;
    player.currentTime = seconds;
    silence();
    setPosition((before) => ({ ...before, seconds }));
    void player.play().catch(() => undefined);
  };
  // Plays stretches one after the other and skips everything between them.
  const [queue, setQueue] = useState<readonly Stretch[]>([]);
  useEffect(() => {
    const [now, next] = queue;
    const player = element.current;
    if (!now || !player || position.seconds * 1000 < now.endMs) return;
    if (next) player.currentTime = next.startMs / 1000;
    else player.pause();
    setQueue(queue.slice(1));
  }, [queue, position.seconds]);
  const playOnly = (stretches: readonly Stretch[]) => {
    setQueue(stretches);
    if (stretches[0]) playFrom(stretches[0].startMs / 1000);
    else element.current?.pause();
  };
  const playAll = (seconds: number) => {
    setQueue([]);
    playFrom(seconds);
  };
  return { url, position, setPosition, silence, playFrom: playAll, playOnly, isPlayingParts: queue.length > 0 };
};

const WaveformImage = ({ waveform, share }: { waveform: Waveform; share: number }) => (
  <svg class="waveform" viewBox={`0 0 ${waveform.peaks.length} 100`} preserveAspectRatio="none" aria-hidden="true">
    {waveform.peaks.map((peak, at) => (
      <rect
        key={at}
        class={at < share * waveform.peaks.length ? 'played' : ''}
        x={at + 0.15}
        width={0.7}
        y={50 - Math.max(1, peak * 48)}
        height={Math.max(2, peak * 96)}
      />
    ))}
  </svg>
);

interface PlayerProps {
  readonly audio: Blob;
  readonly element: RefObject<HTMLAudioElement>;
  readonly player: ReturnType<typeof usePlayer>;
}

export const Player = ({ audio, element, player }: PlayerProps) => {
  const { url, position, setPosition, silence } = player;
  const [waveform, setWaveform] = useState<Waveform | null>(null);
  const [length, setLength] = useState(0);
  useEffect(() => {
    let current = true;
    void waveformOf(audio, INTERVALS).then((shape) => {
      if (!current || !shape) return;
      setWaveform(shape);
      setLength(shape.seconds);
    });
    return () => {
      current = false;
    };
  }, [audio]);
  const seconds = Math.max(length, 0.01);
  const toggle = () => {
    if (position.state === 'playing') element.current?.pause();
    else void element.current?.play().catch(() => undefined);
  };
  return (
    <div class="player">
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript on this page is the caption */}
      <audio
        ref={element}
        src={url ?? undefined}
        onTimeUpdate={silence}
        onSeeking={silence}
        onPlay={() => setPosition((before) => ({ ...before, state: 'playing' }))}
        onPause={() => setPosition((before) => ({ ...before, state: 'paused' }))}
        onError={() => setPosition((before) => ({ ...before, state: 'unplayable' }))}
        onLoadedMetadata={(event) => {
          const { duration } = event.currentTarget;
          if (Number.isFinite(duration)) setLength((before) => before || duration);
        }}
      />
      {position.state === 'unplayable' ? (
        <p class="muted">This browser cannot play this format. The transcript is still complete.</p>
      ) : (
        <>
          <button type="button" onClick={toggle}>
            {position.state === 'playing' ? 'Pause' : 'Play'}
          </button>
          <div class="wave">
            {waveform ? <WaveformImage waveform={waveform} share={position.seconds / seconds} /> : null}
            <input
              type="range"
              aria-label="Position in the recording"
              aria-valuetext={`${clock(position.seconds)} of ${clock(length)}`}
              min={0}
              max={seconds}
              step={0.05}
              value={Math.min(position.seconds, seconds)}
              onInput={(event) => {
                const to = Number(event.currentTarget.value);
                if (element.current) element.current.currentTime = to;
                setPosition((before) => ({ ...before, seconds: to }));
              }}
            />
          </div>
          <span class="clock">
            {clock(position.seconds)} / {clock(length)}
          </span>
        </>
      )}
    </div>
  );
};
