// How long a recording is, as the browser's own player tells it; null when it cannot.

const PATIENCE_MS = 5_000;

export const lengthOf = (audio: Blob): Promise<number | null> =>
  new Promise((resolve) => {
    const address = URL.createObjectURL(audio);
    const player = new Audio();
    const end = (seconds: number | null) => {
      clearTimeout(timer);
      URL.revokeObjectURL(address);
      resolve(seconds);
    };
    const timer = setTimeout(() => end(null), PATIENCE_MS);
    player.preload = 'metadata';
    // Recordings of browsers do not say how long they are.
    player.onloadedmetadata = () => end(Number.isFinite(player.duration) ? player.duration : null);
    player.onerror = () => end(null);
    player.src = address;
  });
