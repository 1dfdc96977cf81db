// Small readers for bytes in memory, shared by the containers.

export const viewOf = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength);

/** Latin-1 text; shorter when the data ends first. */
export const textAt = (data: Uint8Array, at: number, length = 4): string =>
  String.fromCharCode(...data.subarray(at, at + length));

/** Text from a file, made safe for an error message. */
export const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');
