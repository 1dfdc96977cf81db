// Makes a certificate for a test, since OpenAI's realtime client accepts only TLS.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KIND = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];

/** Returns the paths of a key and its certificate, and a function that removes both. Needs openssl. */
export const makeCertificate = () => {
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-tls-'));
  const [tlsKey, tlsCert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync('openssl', ['req', ...KIND, '-subj', '/CN=localhost', '-keyout', tlsKey, '-out', tlsCert], {
    stdio: 'ignore',
  });
  return { tlsKey, tlsCert, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
