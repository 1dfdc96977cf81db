// Measures what hashing costs transcriptions while wrong passwords are pipelined over many connections.
import { setTimeout as wait } from 'node:timers/promises';
import { RawClient } from '../http/raw.ts';
import type { Figure } from './figures.ts';
import { type LoadServer, startLoadServer } from './load-server.ts';
import { CLIPS, COMPUTE, clipTimes, ratioFigure, refusedFigure } from './neighbour.ts';

const CONNECTIONS = 20;
/** Requests that a connection sends without waiting for the first answer. */
const PIPELINED = 16;

const signIn = (email: string): string => {
  const body = JSON.stringify({ email, password: 'not the password of anybody' });
  return [
    'POST /console/api/auth/sign-in/email HTTP/1.1',
    'Host: test',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
};

class SignInFlood {
  #isOver = false;
  readonly #connections: Promise<void>[];
  readonly #open = new Set<RawClient>();
  answered = 0;

  constructor(server: LoadServer) {
    this.#connections = Array.from({ length: CONNECTIONS }, (_, nth) => this.#ask(server, nth));
  }

  async close(): Promise<void> {
    this.#isOver = true;
    for (const client of this.#open) client.socket.destroy();
    await Promise.all(this.#connections);
  }

  async #ask(server: LoadServer, connection: number): Promise<void> {
    for (let round = 0; !this.#isOver; round++) {
      const client = new RawClient(server.port);
      this.#open.add(client);
      // Each request has its own e-mail address, so that the limit per address does not apply.
      const asked = Array.from({ length: PIPELINED }, (_, nth) => signIn(`p${connection}-${round}-${nth}@example.org`));
      await client.send(asked.join(''));
      for (let nth = 0; nth < PIPELINED && !this.#isOver; nth++) {
        if ((await client.answer()) === null) break;
        this.answered += 1;
      }
      this.#open.delete(client);
      client.socket.destroy();
    }
  }
}

/** A client tries passwords as fast as the server allows, while an account sends its clips. */
export const signIns = async (clips = CLIPS): Promise<Figure[]> => {
  const server = await startLoadServer({ accounts: 1, compute: COMPUTE });
  const [key] = server.keys as [string];
  const quiet = await clipTimes(server, key, clips);
  const flood = new SignInFlood(server);
  await wait(1_000);
  const busy = await clipTimes(server, key, clips);
  await flood.close();
  await server.close();
  return [
    ratioFigure(quiet.ms, busy.ms),
    refusedFigure(busy.refusals),
    { what: 'sign-ins answered meanwhile', value: String(flood.answered), target: 'some', met: flood.answered > 0 },
  ];
};
