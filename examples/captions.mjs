// A page with live captions, and the small server it needs: the page fetches its key from this server.
// FAIRCOPY_API_KEY=fc_… node examples/captions.mjs
import { createServer } from 'node:http';

const {
  FAIRCOPY_URL = 'http://localhost:8080',
  FAIRCOPY_API_KEY,
  FAIRCOPY_MODEL = 'svc-1.0-lite',
  PORT = '3000',
} = process.env;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Live captions</title>
<h1>Live captions</h1>
<div id="captions"></div>
<script type="module">
  import { mountCaptions } from '${FAIRCOPY_URL}/client/faircopy.js';

  mountCaptions(document.getElementById('captions'), {
    baseUrl: '${FAIRCOPY_URL}',
    model: '${FAIRCOPY_MODEL}',
    apiKey: () => fetch('/key', { method: 'POST' }).then((answer) => answer.text()),
  });
</script>
</html>`;

const server = createServer((request, response) => {
  if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
  // Authenticate users here. Use short-lived keys: faircopy keys create --account NAME --name captions --expires 1d
  else if (request.url === '/key' && request.method === 'POST') response.end(FAIRCOPY_API_KEY);
  else response.writeHead(404).end();
});

server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
