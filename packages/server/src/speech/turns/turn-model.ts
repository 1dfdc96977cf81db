// The end-of-turn network: one run gives the probabilities for every length of the pause.
import '../../lib/process/no-telemetry.ts';
import { modelFile } from '@faircopy/turn-model';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sessionOptions } from '../acoustic/session-options.ts';
import { CONTOUR_SAMPLES, CONTOUR_STEPS, contourOf } from './contour.ts';
import { PAUSE_SECONDS, type TurnPause } from './turn-detector.ts';
import { TURN_WORDS, wordIds } from './turn-words.ts';

const ROWS = PAUSE_SECONDS.length;

/** Repeats the values for each length of the pause. */
const repeated = <Values extends Float32Array | BigInt64Array>(values: Values, into: Values): Values => {
  for (let row = 0; row < ROWS; row++) into.set(values as never, row * values.length);
  return into;
};

/** The last samples, preceded by silence if there are fewer. */
const lastSamples = (samples: Float32Array): Float32Array => {
  const last = new Float32Array(CONTOUR_SAMPLES);
  const heard = samples.subarray(-CONTOUR_SAMPLES);
  last.set(heard, CONTOUR_SAMPLES - heard.length);
  return last;
};

export const loadTurnModel = async (): Promise<(pause: TurnPause) => Promise<readonly number[]>> => {
  const session = await InferenceSession.create(modelFile, sessionOptions(1));
  return async ({ samples, text, turnSeconds }) => {
    const ids = wordIds(text);
    const contour = contourOf(lastSamples(samples));
    const { ended } = await session.run({
      words: new Tensor('int64', repeated(ids, new BigInt64Array(ROWS * ids.length)), [ROWS, TURN_WORDS, 2]),
      contour: new Tensor('float32', repeated(contour, new Float32Array(ROWS * contour.length)), [
        ROWS,
        3,
        CONTOUR_STEPS,
      ]),
      pause: new Tensor('float32', Float32Array.from(PAUSE_SECONDS), [ROWS, 1]),
      turn: new Tensor('float32', new Float32Array(ROWS).fill(turnSeconds), [ROWS, 1]),
    });
    return Array.from(ended!.data as Float32Array);
  };
};
