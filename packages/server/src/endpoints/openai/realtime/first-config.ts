// The initial configuration of a realtime session: the defaults, the query's model and the client secret's session.
import type { ModelNames } from '../../../calls/model-names.ts';
import { Fault, invalidRequest } from '../../../lib/fault.ts';
import { ConfigProblem, defaultConfig, type SessionConfig, updatedConfig } from './session-config.ts';

const MODEL_DEFAULT = 'gpt-4o-transcribe';

/** Throws a Fault. */
export const firstConfig = (modelName: unknown, session: object | null, names: ModelNames): SessionConfig => {
  const name = typeof modelName === 'string' && modelName !== '' ? modelName : MODEL_DEFAULT;
  const model = names.tierOf(name);
  if (model === null) throw new Fault('NOT_FOUND', { message: 'The model is not known here.', parameter: 'model' });
  const config = defaultConfig(name, model);
  if (session === null) return config;
  try {
    return updatedConfig(session, config, names);
  } catch (problem) {
    throw problem instanceof ConfigProblem ? invalidRequest(problem.message, problem.param) : problem;
  }
};
