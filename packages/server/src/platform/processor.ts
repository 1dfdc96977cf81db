// What the processor can do, as far as something else is built for it.
import { readFileSync } from 'node:fs';

/** Instructions of x64 that add up products of bytes in 32 bits, by their names in /proc/cpuinfo. */
const EXACT_BYTE_PRODUCTS = /\b(avx512_vnni|avx_vnni)\b/;

const readCpuInfo = (): string => {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    return '';
  }
};

/**
 * Whether products with signed bytes are exact here, and then the fastest there are. Older x64 processors cut their sums
 * off at 16 bits; elsewhere, where it was not measured or nothing is known, the answer is no.
 */
export const prefersSignedBytes = (arch: string = process.arch, cpuInfo: () => string = readCpuInfo): boolean =>
  arch === 'x64' && EXACT_BYTE_PRODUCTS.test(cpuInfo());
