// A proxy in front of PostgreSQL that can close, stop answering, or close between a commit and its response.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { StorageOptions } from '../open.ts';

export type ProxyState = 'open' | 'shut' | 'silent' | 'shut after the next commit';

export interface PostgresProxy {
  readonly options: StorageOptions;
  set(state: ProxyState): void;
  close(): Promise<void>;
}

export const postgresProxy = async (options: StorageOptions): Promise<PostgresProxy> => {
  const target = new URL(options.databaseUrl!);
  const sockets = new Set<Socket>();
  let state: ProxyState = 'open';
  const shut = () => {
    state = 'shut';
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((inside) => {
    if (state === 'shut') return void inside.destroy();
    const outside = connect(Number(target.port || 5432), target.hostname);
    let committing = false;
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        inside.destroy();
        outside.destroy();
      });
    }
    inside.on('data', (chunk) => {
      committing = state === 'shut after the next commit' && /commit/i.test(chunk.toString('latin1'));
      if (state !== 'silent') outside.write(chunk);
    });
    // The commit is durable once PostgreSQL responds; this loses the response.
    outside.on('data', (chunk) => (committing ? shut() : inside.write(chunk)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  return {
    options: { ...options, databaseUrl: url.href },
    set: (next) => {
      if (next === 'shut') shut();
      else state = next;
    },
    close: async () => {
      shut();
      server.close();
      await once(server, 'close');
    },
  };
};
