import { parseCookie, stringifySetCookie } from "cookie";

/** The name of the cookie of sessions. */
export const sessionCookie = "plimsoll_session";

/** Values are not encoded, because they only have characters that cookies may have. */
const asIs = (text: string): string => text;

/** The value of a cookie in a `Cookie` header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  return header === undefined ? undefined : parseCookie(header, { decode: asIs })[name];
}

/** A `Set-Cookie` header that only this server reads, and no script. */
export function formatCookie(name: string, value: string, options: { maxAgeSeconds: number; secure: boolean }): string {
  const { maxAgeSeconds: maxAge, secure } = options;
  return stringifySetCookie(
    { name, value, path: "/", httpOnly: true, sameSite: "lax", maxAge, secure },
    { encode: asIs },
  );
}
