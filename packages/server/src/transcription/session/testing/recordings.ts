// Sessions of whole recordings on a scripted engine, for tests.
import { Fault } from '../../../lib/fault.ts';
import { type Script, ScriptedEngine } from '../../../speech/testing/scripted-engine.ts';
import { type CollectedSession, openCollected } from '../../collected-session.ts';
import type { TranscriberOptions } from '../../service.ts';
import type { SessionListener, SessionRequest } from '../../transcriber.ts';
import { REQUEST, scriptedService } from './scripted-session.ts';

/** An engine, a service on it, and `open` for sessions that return their transcript. */
export const setUpRecordings = (script: Script = {}, options: Partial<TranscriberOptions> = {}) => {
  const engine = new ScriptedEngine(script);
  const service = scriptedService(engine, options);
  const open = (request: Partial<SessionRequest> = {}, listener?: SessionListener): CollectedSession =>
    openCollected(service, { ...REQUEST, model: 'svc-1.0-pro', wantWordTimes: false, ...request }, listener);
  return { engine, service, open };
};

export const isUnavailable = (thrown: unknown): boolean =>
  thrown instanceof Fault && thrown.code === 'SERVICE_UNAVAILABLE';
