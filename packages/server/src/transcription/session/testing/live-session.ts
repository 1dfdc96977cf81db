// Live sessions on a scripted engine, for tests.
import type { Refiner } from '../../../refine/refiner.ts';
import { ScriptedEngine } from '../../../speech/testing/scripted-engine.ts';
import { passthroughRefiner } from '../../testing/passthrough-refiner.ts';
import { InlineRefinementStage } from '../../text/refinement-stage.ts';
import type { Final, FinalPolicy, Interim, SessionRequest, SessionSummary } from '../../transcriber.ts';
import { REQUEST, scriptedService } from './scripted-session.ts';

type LiveOptions = Partial<SessionRequest & Omit<Extract<FinalPolicy, { kind: 'utterances' }>, 'kind'>>;

/** A live session on a scripted engine, and everything it has emitted. */
export const openLive = (
  { endpointingMs = 300, wantInterims = false, turns, ...request }: LiveOptions = {},
  engine = new ScriptedEngine({ slots: 2 }),
  refiner: Refiner = passthroughRefiner,
) => {
  const service = scriptedService(engine, { refinementStage: new InlineRefinementStage(refiner) });
  const finals: Final[] = [];
  const interims: Interim[] = [];
  const started: number[] = [];
  const ended: number[] = [];
  const summaries: SessionSummary[] = [];
  const policy = { kind: 'utterances', endpointingMs, wantInterims, turns } as const;
  const session = service.open({ ...REQUEST, mode: 'stream', ...request, finals: policy }, (event) => {
    if (event.type === 'final') finals.push(event.final);
    if (event.type === 'interim') interims.push(event.interim);
    if (event.type === 'speech_started') started.push(event.atMs);
    if (event.type === 'speech_ended') ended.push(event.atMs);
    if (event.type === 'done') summaries.push(event.summary);
  });
  return { session, engine, finals, interims, started, ended, summaries };
};

export const textOf = (finals: readonly Final[]): string =>
  finals.flatMap(({ transcript }) => transcript.text || []).join(' ');
