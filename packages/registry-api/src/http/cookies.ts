/** The cookie of sessions. */
export const sessionCookie = "plimsoll_session";

/** The value of a cookie in a `Cookie` header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(";") ?? []) {
    const [key, value] = part.trim().split("=", 2);
    if (key === name) return value;
  }
  return undefined;
}

/** A `Set-Cookie` header that only this server reads, and no script. */
export function formatCookie(name: string, value: string, options: { maxAgeSeconds: number; secure: boolean }): string {
  const { maxAgeSeconds, secure } = options;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure ? "; Secure" : ""}`;
}
