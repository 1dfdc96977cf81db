// The level of the microphone and the elapsed time.
import { clock } from '../../format.ts';

export const LevelMeter = ({ level, elapsedSeconds }: { level: number; elapsedSeconds: number }) => (
  <div class="meter-line">
    <span class="clock" role="timer">
      {clock(elapsedSeconds)}
    </span>
    <meter min={0} max={1} value={level} aria-label="Microphone level" />
  </div>
);
