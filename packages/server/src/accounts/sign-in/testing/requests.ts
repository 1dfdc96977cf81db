// Requests to the sign-in routes, as a browser sends them.
import { PEER_HEADER, SIGN_IN_PATH, type SignIn } from '../sign-in.ts';

export const ORIGIN = 'http://127.0.0.1:8080';

export const postTo = (signIn: SignIn, path: string, body: object, peer = '10.0.0.1'): Promise<Response> =>
  signIn.handler(
    new Request(`${ORIGIN}${SIGN_IN_PATH}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN, [PEER_HEADER]: peer },
      body: JSON.stringify(body),
    }),
  );

/** The value of the next request's cookie header. */
export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
