// Who may open a stream now: the checks before the upgrade, each refusal a Fault to answer with.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../accounts/principal.ts';
import { Fault } from '../platform/fault.ts';
import type { SlotAnswer, StreamSlot } from '../usage/slots.ts';
import { type Query, rateLimitHeaders, readStreamRequest, type StreamRequest } from './handshake.ts';
import type { StreamPorts } from './ports.ts';

/** When a slot will be free cannot be known; streams of a few seconds are usual. */
const SLOT_RETRY_AFTER_SECONDS = 5;
const UNREADY_RETRY_AFTER_SECONDS = 5;

export interface Admitted {
  readonly principal: Principal;
  readonly stream: StreamRequest;
  readonly slot: StreamSlot;
  readonly limit: number;
  readonly remaining: number;
}

/** The checks before the upgrade, cheapest refusal first: key, parameters, capacity, slot. Throws the Fault to answer with. */
export const admit = async (
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
  ports: StreamPorts,
): Promise<Admitted> => {
  const principal = await authenticate(key, ports);
  const stream = readStreamRequest(request.query as Query);
  if (ports.readiness.state !== 'ready') {
    throw new Fault('SERVICE_UNAVAILABLE', {
      message: `The service is not ready: ${ports.readiness.message}.`,
      retryAfterSeconds: UNREADY_RETRY_AFTER_SECONDS,
    });
  }
  const { admitted, retryAfterSeconds, reason } = ports.transcriber.admit(stream.model);
  if (!admitted) {
    throw new Fault('SERVICE_UNAVAILABLE', {
      message: reason ?? 'The service is too busy for another stream.',
      retryAfterSeconds,
    });
  }
  const answer: SlotAnswer = await ports.slots.acquire(principal.accountId, principal.limits.maxStreams);
  if (answer.slot === null) {
    reply.headers(rateLimitHeaders(answer.limit, 0));
    throw new Fault('CONCURRENT_LIMIT_EXCEEDED', {
      message: `The account has ${answer.limit} open streams, as many as it may have.`,
      retryAfterSeconds: SLOT_RETRY_AFTER_SECONDS,
    });
  }
  return { principal, stream, slot: answer.slot, limit: answer.limit, remaining: answer.remaining };
};

const authenticate = async (key: string, { authenticator }: StreamPorts): Promise<Principal> => {
  const principal = key === '' ? null : await authenticator.authenticate(key);
  if (principal) return principal;
  throw new Fault('UNAUTHORIZED', {
    message:
      key === ''
        ? 'The API key is missing. Send it as the parameter "token".'
        : 'The API key is not valid. It may be mistyped, revoked or expired.',
  });
};

export const releaseSlot = (slot: StreamSlot, { log }: StreamPorts): void => {
  slot.release().catch((err) => log.warn({ err }, 'a stream slot was not given back'));
};
