// A signing key that no server uses.
import { generateKeyPairSync } from 'node:crypto';
import { type SigningKey, signJws } from '../jws.ts';

export const unknownKey = (): SigningKey => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x } = privateKey.export({ format: 'jwk' });
  return { jwk: { kty: 'OKP', crv: 'Ed25519', x: x! }, privateKey };
};

export const unknownSigner = () => {
  const key = unknownKey();
  return { sign: async (typ: string, payload: unknown): Promise<string> => signJws(typ, payload, key) };
};
