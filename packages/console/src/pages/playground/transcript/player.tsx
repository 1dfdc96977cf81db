// The recording with its waveform: plays from any moment, and says where it is.
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { clock } from '../../../parts/format.ts';
import { type Waveform, waveformOf } from './waveform.ts';

const STRETCHES = 240;

export interface PlayHead {
  readonly seconds: number;
  readonly state: 'playing' | 'paused' | 'unplayable';
}

/** The address of a recording in this tab, and where its player is. */
export const usePlayer = (audio: Blob, element: RefObject<HTMLAudioElement>) => {
  const [address, setAddress] = useState<string | null>(null);
  const [head, setHead] = useState<PlayHead>({ seconds: 0, state: 'paused' });
  useEffect(() => {
    const made = URL.createObjectURL(audio);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [audio]);
  useEffect(() => {
    if (head.state !== 'playing') return;
    let frame = 0;
    const follow = () => {
      setHead((before) => ({ ...before, seconds: element.current?.currentTime ?? 0 }));
      frame = requestAnimationFrame(follow);
    };
    frame = requestAnimationFrame(follow);
    return () => cancelAnimationFrame(frame);
  }, [head.state]);
  const playFrom = (seconds: number) => {
    const player = element.current;
    if (!player || head.state === 'unplayable') return;
    player.currentTime = seconds;
    setHead((before) => ({ ...before, seconds }));
    void player.play().catch(() => undefined);
  };
  return { address, head, setHead, playFrom };
};

const Shape = ({ waveform, share }: { waveform: Waveform; share: number }) => (
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
  const { address, head, setHead } = player;
  const [waveform, setWaveform] = useState<Waveform | null>(null);
  const [length, setLength] = useState(0);
  useEffect(() => {
    let current = true;
    void waveformOf(audio, STRETCHES).then((shape) => {
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
    if (head.state === 'playing') element.current?.pause();
    else void element.current?.play().catch(() => undefined);
  };
  return (
    <div class="player">
      <audio
        ref={element}
        {...(address ? { src: address } : {})}
        onPlay={() => setHead((before) => ({ ...before, state: 'playing' }))}
        onPause={() => setHead((before) => ({ ...before, state: 'paused' }))}
        onError={() => setHead((before) => ({ ...before, state: 'unplayable' }))}
        onLoadedMetadata={(event) => {
          const { duration } = event.currentTarget;
          if (Number.isFinite(duration)) setLength((before) => before || duration);
        }}
      />
      {head.state === 'unplayable' ? (
        <p class="quiet">This browser cannot play this format. The transcript is complete all the same.</p>
      ) : (
        <>
          <button type="button" onClick={toggle}>
            {head.state === 'playing' ? 'Pause' : 'Play'}
          </button>
          <div class="wave">
            {waveform ? <Shape waveform={waveform} share={head.seconds / seconds} /> : null}
            <input
              type="range"
              aria-label="Place in the recording"
              aria-valuetext={`${clock(head.seconds)} of ${clock(length)}`}
              min={0}
              max={seconds}
              step={0.05}
              value={Math.min(head.seconds, seconds)}
              onInput={(event) => {
                const to = Number(event.currentTarget.value);
                if (element.current) element.current.currentTime = to;
                setHead((before) => ({ ...before, seconds: to }));
              }}
            />
          </div>
          <span class="clock">
            {clock(head.seconds)} / {clock(length)}
          </span>
        </>
      )}
    </div>
  );
};
