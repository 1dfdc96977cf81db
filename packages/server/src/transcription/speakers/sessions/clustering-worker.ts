// The clustering thread: clustering two hours of speech takes seconds, which must not block the event loop.
import { parentPort } from 'node:worker_threads';
import { diarize } from '../diarize.ts';
import { LiveSpeakers } from '../live-speakers.ts';
import {
  type ClusteringTask,
  type FromClusteringThread,
  type ToClusteringThread,
  unpacked,
} from './clustering-messages.ts';

const port = parentPort!;
const streams = new Map<number, LiveSpeakers>();

const run = (task: ClusteringTask) => {
  if (task.kind === 'recording') return diarize(unpacked(task.analysis), task.limits);
  const speakers = streams.get(task.stream) ?? new LiveSpeakers(task.limits);
  streams.set(task.stream, speakers);
  return speakers.add(task.analysis);
};

const answerOf = (id: number, task: ClusteringTask): FromClusteringThread => {
  try {
    return { id, result: run(task) };
  } catch (failure) {
    return { id, failed: failure instanceof Error ? (failure.stack ?? failure.name) : typeof failure };
  }
};

port.on('message', (message: ToClusteringThread) => {
  if (message.kind === 'forget') streams.delete(message.stream);
  else port.postMessage(answerOf(message.id, message.task));
});
