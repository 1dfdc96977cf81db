// A mail server for tests that records every message.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly text: string;
}

export interface TestMailServer {
  readonly url: string;
  readonly messages: ReceivedMail[];
  /** Resolves with the nth message, from 1, once it has arrived. */
  message(nth: number): Promise<ReceivedMail>;
  close(): Promise<void>;
}

export const startMailServer = async (): Promise<TestMailServer> => {
  const messages: ReceivedMail[] = [];
  const waiting: (() => void)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let to: string[] = [];
    let body: string[] | null = null;
    let rest = '';
    const answer = (line: string) => socket.write(`${line}\r\n`);
    const take = (line: string) => {
      if (body !== null) {
        if (line !== '.') return void body.push(line.replace(/^\.\./, '.'));
        // Undoes quoted-printable line breaks.
        messages.push({ to, text: body.join('\n').replaceAll('=\n', '').replaceAll('=3D', '=') });
        [to, body] = [[], null];
        for (const wake of waiting.splice(0)) wake();
        return void answer('250 accepted');
      }
      if (/^RCPT TO:/i.test(line)) to = [...to, /<(.*)>/.exec(line)?.[1] ?? ''];
      if (/^DATA/i.test(line)) {
        body = [];
        return void answer('354 continue');
      }
      if (/^QUIT/i.test(line)) {
        answer('221 bye');
        return void socket.end();
      }
      answer('250 ok');
    };
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('utf8')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
    answer('220 test');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    message: async (nth) => {
      while (messages.length < nth) await new Promise<void>((resolve) => waiting.push(resolve));
      return messages[nth - 1]!;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
