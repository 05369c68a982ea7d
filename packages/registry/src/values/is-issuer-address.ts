/**
 * Whether an address can be that of an issuer of tokens. A network attacker who can change its responses can make tokens of any user or
 * robot: TLS is required, except on this machine.
 */
export function isIssuerAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "") return false;
  const isLoopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback);
}
