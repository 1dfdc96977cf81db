// The level of a microphone, about thirty times a second, and the elapsed time.
import { useEffect, useState } from 'preact/hooks';

/** With this gain, quiet speech fills a third of the meter. */
const GAIN = 4;

export const useLevel = (stream: MediaStream | null): number => {
  const [level, setLevel] = useState(0);
  useEffect(() => {
    if (!stream) return;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    context.createMediaStreamSource(stream).connect(analyser);
    const wave = new Float32Array(analyser.fftSize);
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(wave);
      const power = wave.reduce((sum, sample) => sum + sample * sample, 0) / wave.length;
      setLevel(Math.min(1, Math.sqrt(power) * GAIN));
    }, 33);
    return () => {
      clearInterval(timer);
      setLevel(0);
      void context.close();
    };
  }, [stream]);
  return level;
};

/** Seconds since `running` became true. */
export const useElapsed = (running: boolean): number => {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    if (!running) return;
    const start = performance.now();
    setElapsed(0);
    const timer = setInterval(() => setElapsed((performance.now() - start) / 1000), 200);
    return () => clearInterval(timer);
  }, [running]);
  return elapsed;
};
