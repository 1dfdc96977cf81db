// The duration of a recording according to the browser; null if the browser cannot read the format.

const TIMEOUT_MS = 5_000;

export const durationOf = (audio: Blob): Promise<number | null> =>
  new Promise((resolve) => {
    const url = URL.createObjectURL(audio);
    const player = new Audio();
    const end = (seconds: number | null) => {
      clearTimeout(timer);
      URL.revokeObjectURL(url);
      resolve(seconds);
    };
    const timer = setTimeout(() => end(null), TIMEOUT_MS);
    player.preload = 'metadata';
    // Recordings made by browsers lack a duration.
    player.onloadedmetadata = () => end(Number.isFinite(player.duration) ? player.duration : null);
    player.onerror = () => end(null);
    player.src = url;
  });
