// A local chat endpoint with scripted answers, for tests of the language-model pass.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface ChatRequest {
  readonly authorization: string | undefined;
  readonly model: string;
  readonly transcript: string;
  readonly messages: readonly { role: string; content: string }[];
}

/** The reply to a request: an answer, a status with a body, or nothing ("silence"). */
export type Script = (request: ChatRequest) => { answer: string } | { status: number; body: string } | 'silence';

export interface ScriptedChat {
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  close(): Promise<void>;
}

const readRequest = async (request: IncomingMessage): Promise<ChatRequest> => {
  const { model, messages } = JSON.parse(await text(request));
  const transcript = /<<<TRANSCRIPT\n([\s\S]*)\nTRANSCRIPT>>>/u.exec(messages.at(-1).content)?.[1] ?? '';
  return { authorization: request.headers.authorization, model, messages, transcript };
};

export const startScriptedChat = async (script: Script): Promise<ScriptedChat> => {
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    const chatRequest = await readRequest(request);
    requests.push(chatRequest);
    const reply = script(chatRequest);
    if (reply === 'silence') return;
    const ok = 'answer' in reply;
    response.writeHead(ok ? 200 : reply.status, { 'content-type': 'application/json' });
    response.end(
      ok ? JSON.stringify({ choices: [{ message: { content: reply.answer }, finish_reason: 'stop' }] }) : reply.body,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
