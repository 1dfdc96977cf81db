// Settings of the Wyoming listener.
import { declareSettings, type SettingValues, setting } from '../../config/setting.ts';
import { listenAddress, optionalText } from '../../config/values.ts';

export const wyomingSettings = declareSettings({
  topic: 'Endpoints',
  settings: {
    wyomingAddress: setting(
      'FAIRCOPY_WYOMING_PORT',
      listenAddress(),
      'Port on 127.0.0.1, or HOST:PORT, for Wyoming clients such as Home Assistant, usually 10300; 0 picks a free port. Wyoming has no keys and no TLS: open it only to a network you trust.',
    ),
    wyomingKey: setting('FAIRCOPY_WYOMING_KEY', optionalText(), 'API key of the account that Wyoming clients use.', {
      secret: true,
    }),
  },
  check: ({ wyomingAddress, wyomingKey }) =>
    wyomingAddress !== undefined && wyomingKey === undefined
      ? ['FAIRCOPY_WYOMING_PORT: needs FAIRCOPY_WYOMING_KEY too']
      : [],
  dropped: {
    FAIRCOPY_WYOMING_HOST: 'write the host into FAIRCOPY_WYOMING_PORT, as in 0.0.0.0:10300',
  },
});

export type WyomingSettings = SettingValues<typeof wyomingSettings>;
