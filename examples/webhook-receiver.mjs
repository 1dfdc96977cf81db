// Receives the webhooks of jobs and checks their signatures.
// node examples/webhook-receiver.mjs
import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';

const { FAIRCOPY_URL = 'http://localhost:8080', PORT = '3000' } = process.env;

/** The server's public keys by id. They are fetched again if a key is unknown. */
const keys = new Map();
const keyOf = async (kid) => {
  if (!keys.has(kid)) {
    const response = await fetch(`${FAIRCOPY_URL}/.well-known/jwks.json`);
    const published = await response.json();
    for (const key of published.keys) keys.set(key.kid, key);
  }
  const key = keys.get(kid);
  if (!key) throw new Error(`unknown key ${kid}`);
  return key;
};

/** The header holds a detached JWS; its payload is the body. */
const isGenuine = async (body, signature) => {
  const [header = '', , mac = ''] = signature.split('.');
  const { alg, typ, kid } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
  if (alg !== 'EdDSA' || typ !== 'faircopy-webhook') return false;
  const key = createPublicKey({ key: await keyOf(kid), format: 'jwk' });
  const signed = Buffer.from(`${header}.${body.toString('base64url')}`);
  return verify(null, signed, key, Buffer.from(mac, 'base64url'));
};

/** A webhook can arrive more than once; its id is the job's id. In production, store these in a database. */
const seen = new Set();

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const genuine = await isGenuine(body, String(request.headers['faircopy-signature'])).catch(() => false);
  if (!genuine) {
    response.writeHead(401).end();
    return;
  }
  // Respond first, then process: the server gives up on an attempt after 15 seconds.
  response.writeHead(204).end();
  const { type, job, answer } = JSON.parse(body.toString('utf8'));
  if (seen.has(job.id)) return;
  seen.add(job.id);
  console.log(type, job.id, answer?.result.transcript ?? job.error?.message ?? '');
});

server.listen(Number(PORT), () => console.log('ready'));
