// A certificate of a test's own: OpenAI's realtime client accepts nothing but TLS.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KIND = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];

/** Paths of a key and its certificate, and what removes both. Needs openssl. */
export const makeCertificate = () => {
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-tls-'));
  const [tlsKey, tlsCert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync('openssl', ['req', ...KIND, '-subj', '/CN=localhost', '-keyout', tlsKey, '-out', tlsCert], {
    stdio: 'ignore',
  });
  return { tlsKey, tlsCert, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
