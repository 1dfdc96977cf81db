// A key that no server has, and what it signs.
import { generateKeyPairSync } from 'node:crypto';
import { type SigningKey, signJws } from '../jws.ts';

export const strangerKey = (): SigningKey => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x } = privateKey.export({ format: 'jwk' });
  return { jwk: { kty: 'OKP', crv: 'Ed25519', x: x! }, privateKey };
};

export const strangerSigner = () => {
  const key = strangerKey();
  return { sign: async (typ: string, payload: unknown): Promise<string> => signJws(typ, payload, key) };
};
