// The listening part of a voice agent: prepares an answer when a turn has probably ended, and gives it at its end.
// arecord -q -t raw -f S16_LE -r 16000 | FAIRCOPY_API_KEY=fc_… node examples/voice-agent.mjs
import WebSocket from 'ws';

const { FAIRCOPY_URL = 'http://localhost:8080', FAIRCOPY_API_KEY, FAIRCOPY_MODEL = 'svc-1.0-lite' } = process.env;

/** Replace this with your language model and voice. `signal` aborts if the speaker continues. */
const prepareAnswer = async (text, signal) => {
  signal.throwIfAborted();
  return `You said: ${text}`;
};

const address = new URL('v2/listen', `${FAIRCOPY_URL.replace(/^http/, 'ws')}/`);
address.search = new URLSearchParams({
  model: FAIRCOPY_MODEL,
  encoding: 'linear16',
  sample_rate: '16000',
  eager_eot_threshold: '0.4',
});
const socket = new WebSocket(address, { headers: { authorization: `Token ${FAIRCOPY_API_KEY}` } });

/** The answer that is being prepared, and the text that it answers. */
let draft;
const startDraft = (text) => {
  if (draft?.text === text) return draft;
  draft?.abort.abort();
  const abort = new AbortController();
  const answer = prepareAnswer(text, abort.signal);
  answer.catch(() => undefined);
  draft = { text, abort, answer };
  return draft;
};

const onTurn = {
  // The user has started to speak: stop talking.
  StartOfTurn: () => console.log('listening'),
  EagerEndOfTurn: ({ transcript }) => startDraft(transcript),
  TurnResumed: () => draft?.abort.abort(),
  EndOfTurn: async ({ transcript }) => {
    if (transcript === '') return;
    console.log(`user: ${transcript}`);
    console.log(`agent: ${await startDraft(transcript).answer}`);
    draft = undefined;
  },
};

socket.on('message', (data) => {
  const message = JSON.parse(String(data));
  if (message.type === 'TurnInfo') void onTurn[message.event]?.(message);
  if (message.type === 'Error') console.error(message.description);
});
socket.on('error', (error) => console.error(error.message));
socket.on('open', async () => {
  for await (const chunk of process.stdin)
    await new Promise((resolve) => {
      socket.send(chunk, resolve);
    });
  socket.send(JSON.stringify({ type: 'CloseStream' }));
});
socket.on('close', (code) => {
  process.exitCode = code === 1000 ? 0 : 1;
});
