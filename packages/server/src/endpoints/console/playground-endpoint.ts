// The playground's file endpoint: POST /v1/transcribe, but for long files and every format that can be decoded.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { EVERY_FILE } from '../../calls/files/accepted-files.ts';
import { addNativeFiles } from '../native/file/endpoint.ts';
import { TRANSCRIBE_FORM } from '../native/file/form.ts';
import type { ConsolePorts } from './ports.ts';

const MB = 1024 * 1024;

export const registerPlaygroundEndpoint = (
  app: FastifyInstance,
  { calls, uploadTimeoutMs = 0, longFiles }: ConsolePorts,
): void => {
  if (!calls) return;
  const parts = { config: { uploadTimeoutMs }, calls };
  addNativeFiles(app, parts, {
    url: `/console/api${PATHS.transcribe}`,
    accepts: EVERY_FILE,
    form: { ...TRANSCRIBE_FORM, fileBytesMax: longFiles.longFileMb * MB },
  });
};
