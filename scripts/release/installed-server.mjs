// Starts the installed command in a folder that contains only the packages, and waits until it accepts requests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Resolves when the server has printed its address, a key and its sign-in link, after the models have been loaded. */
export const startServer = async (folder, node, env = {}) => {
  const command = join(folder, 'node_modules', '.bin', 'faircopy');
  const server = spawn(node, [command, 'serve'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', FAIRCOPY_MODELS: 'svc-1.0-lite', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let complaints = '';
  server.stderr.on('data', (text) => {
    complaints += text;
  });
  const exited = once(server, 'exit');
  const ready = new Promise((resolve, reject) => {
    server.stdout.on('data', (text) => {
      said += text;
      const url = /address +(http:\S+)/.exec(said)?.[1];
      const apiKey = /\n {2}(fc_\S+)/.exec(said)?.[1];
      if (url && apiKey && said.includes('Sign in to the console')) resolve({ url, apiKey });
    });
    exited.then(([code]) => reject(new Error(`faircopy serve exited with ${code}:\n${said}${complaints}`)));
  });
  const { url, apiKey } = await ready;
  const stop = async () => {
    server.kill('SIGTERM');
    const [code] = await exited;
    if (code !== 0) throw new Error(`faircopy serve stopped with ${code}:\n${complaints}`);
    if (/warning/i.test(complaints)) throw new Error(`faircopy serve warned:\n${complaints}`);
  };
  return { url, apiKey, stop };
};
