// Transcribes every recording that is put into a folder; the transcript appears beside it as NAME.txt.
// FAIRCOPY_URL=http://localhost:8080 node examples/watch-folder.mjs recordings
import { existsSync, openAsBlob, readdirSync, renameSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { FAIRCOPY_URL, FAIRCOPY_API_KEY, FAIRCOPY_MODEL = 'svc-1.0-max' } = process.env;
const [folder = '.'] = process.argv.slice(2);
const AUDIO = /\.(wav|ogg|opus|webm|mp3|m4a|mp4|mov|flac|aac|aiff?|caf|mkv)$/i;
/** A file that has not changed for this long is complete. */
const QUIET_MS = 1_000;

const transcribe = async (path) => {
  const form = new FormData();
  form.append('model', FAIRCOPY_MODEL);
  form.append('response_format', 'text');
  form.append('file', await openAsBlob(path), path);
  const answer = await fetch(`${FAIRCOPY_URL}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${FAIRCOPY_API_KEY}` },
    body: form,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(JSON.parse(text).error.message);
  // A transcript is there completely or not at all.
  writeFileSync(`${path}.txt.part`, text);
  renameSync(`${path}.txt.part`, `${path}.txt`);
};

const failed = new Set();
const isDue = (path) =>
  AUDIO.test(path) && !failed.has(path) && !existsSync(`${path}.txt`) && Date.now() - statSync(path).mtimeMs > QUIET_MS;

let isBusy = false;
const work = async () => {
  if (isBusy) return;
  isBusy = true;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!isDue(path)) continue;
    await transcribe(path).then(
      () => console.log(`${name}: done`),
      (error) => {
        failed.add(path);
        console.error(`${name}: ${error.message}`);
      },
    );
  }
  isBusy = false;
};

watch(folder, () => setTimeout(work, QUIET_MS + 100));
await work();
console.log('watching');
