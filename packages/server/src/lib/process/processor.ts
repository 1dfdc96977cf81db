// Detects the processor features for which model graphs are prepared.
import { readFileSync } from 'node:fs';

/** x64 instructions that sum byte products in 32 bits, by their names in /proc/cpuinfo. */
const EXACT_BYTE_PRODUCTS = /\b(avx512_vnni|avx_vnni)\b/;

const readCpuInfo = (): string => {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    return '';
  }
};

/** The sign of the bytes of a quantised matrix. */
export type ByteSign = 'signed' | 'unsigned';

/**
 * The byte type this processor multiplies best. On x64, signed bytes are fastest where their products are exact; older
 * processors saturate their sums at 16 bits, so only unsigned bytes are exact. Elsewhere both are exact.
 */
export const bestByteSign = (arch: string = process.arch, cpuInfo: () => string = readCpuInfo): ByteSign | null => {
  if (arch !== 'x64') return null;
  return EXACT_BYTE_PRODUCTS.test(cpuInfo()) ? 'signed' : 'unsigned';
};
