// How people manage their own sign-in in the console.
import { z } from 'zod';
import { isoTime } from '../values/ids.ts';

export const changeMe = z.object({ name: z.string().trim().min(1).max(200) });
/** How the caller signs in, and where they are signed in. */
export const ownSignIn = z.object({
  has_password: z.boolean(),
  sessions: z.array(
    z.object({
      id: z.string(),
      created_at: isoTime,
      expires_at: isoTime,
      user_agent: z.string().nullable(),
      address: z.string().nullable(),
      is_current: z.boolean(),
    }),
  ),
});
export type OwnSignIn = z.infer<typeof ownSignIn>;
