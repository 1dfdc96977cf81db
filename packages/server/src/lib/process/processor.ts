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

/** How the bytes of a matrix are to be read. */
export type ByteSign = 'signed' | 'unsigned';

/**
 * Which bytes this processor multiplies best. On x64 those that are signed are the fastest, where their products are
 * exact; older processors cut sums of them off at 16 bits, so that only unsigned ones are right. Elsewhere both are.
 */
export const bestByteSign = (arch: string = process.arch, cpuInfo: () => string = readCpuInfo): ByteSign | null => {
  if (arch !== 'x64') return null;
  return EXACT_BYTE_PRODUCTS.test(cpuInfo()) ? 'signed' : 'unsigned';
};
