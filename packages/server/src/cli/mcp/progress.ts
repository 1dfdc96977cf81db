// Reports progress of a tool call: clients time out after a minute, or later while they receive progress.
import type { ServerContext } from '@modelcontextprotocol/server';

const EVERY_MS = 5_000;

/** Sends progress until the work ends, if the client requested it. */
export const withProgress = async <T>(
  { mcpReq }: Pick<ServerContext, 'mcpReq'>,
  work: () => Promise<T>,
): Promise<T> => {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return work();
  const startMs = performance.now();
  const report = () => {
    const params = { progressToken, progress: Math.round((performance.now() - startMs) / 1000) };
    // A client that has disconnected has closed the pipe, which ends the server.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  report();
  const timer = setInterval(report, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};
