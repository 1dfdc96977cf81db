// The worker side of a peer: transcribes one clip per message and replies with the text and its cost.

const spentMs = (since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

/** `transcribe` takes 16 kHz samples and their language. The caller sends a warm-up clip first. */
export const serveTranscriptions = (transcribe) => {
  process.on('message', async ({ samples, language }) => {
    try {
      const cpu = process.cpuUsage();
      const startedMs = performance.now();
      const text = await transcribe(samples, language);
      const wallMs = performance.now() - startedMs;
      process.send({ value: { text, wallMs, cpuMs: spentMs(cpu), rssBytes: process.memoryUsage.rss() } });
    } catch (thrown) {
      process.send({ error: String(thrown?.stack ?? thrown) });
    }
  });
};
