// Checks whether the server in this container is alive: exit code 0 if it is, otherwise 1.
const port = process.env.PORT || '8080';
const host = ['', '0.0.0.0', '::'].includes(process.env.HOST ?? '') ? '127.0.0.1' : process.env.HOST;
try {
  const { ok } = await fetch(`http://${host}:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
