// Creates subtitles for a recording of any length and format. With `--speakers`, the subtitles name the speakers.
// FAIRCOPY_API_KEY=fc_… node examples/meeting-to-subtitles.mjs meeting.mp4 meeting.srt [--speakers]
import { openAsBlob, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const { FAIRCOPY_URL = 'http://localhost:8080', FAIRCOPY_API_KEY } = process.env;
const [recording, subtitles] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (!subtitles) {
  console.error('Usage: node meeting-to-subtitles.mjs RECORDING SUBTITLES [--speakers]');
  process.exit(2);
}
const model = process.argv.includes('--speakers') ? 'gpt-4o-transcribe-diarize' : 'whisper-1';

const form = new FormData();
// The file comes last, so that the server can start before all of it has arrived.
form.append('model', model);
form.append('response_format', subtitles.endsWith('.vtt') ? 'vtt' : 'srt');
form.append('file', await openAsBlob(recording), basename(recording));

const answer = await fetch(`${FAIRCOPY_URL}/v1/audio/transcriptions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${FAIRCOPY_API_KEY}` },
  body: form,
});
const text = await answer.text();
if (!answer.ok) throw new Error(JSON.parse(text).error.message);
writeFileSync(subtitles, text);
console.log(`${subtitles}: ${text.split('-->').length - 1} cues`);
