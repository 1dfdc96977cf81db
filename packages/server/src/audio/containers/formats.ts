// Which files are taken: those of the contract (wav, ogg, webm), or all that can be decoded.

export type AudioFormats = 'contract' | 'all';
