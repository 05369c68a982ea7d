import { connect } from "node:net";

/** The default ports of schemes. */
const usualPorts: Readonly<Record<string, number>> = {
  "smtp:": 587,
  "smtps:": 465,
  "ldap:": 389,
  "ldaps:": 636,
  "http:": 80,
  "https:": 443,
};

/** Opens a connection to a server and closes it, without sending anything. @param url `smtp://…`, `ldap://…` @throws system errors */
async function connectOnce(url: string, signal: AbortSignal): Promise<void> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const socket = connect({ host, port: port === "" ? (usualPorts[protocol] ?? 0) : Number(port), signal });
  try {
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  } finally {
    socket.destroy();
  }
}

/** How long a successful check is valid, so that frequent probes of load balancers do not reach the server. */
const reachedMs = 30_000;

/** {@link connectOnce}, at most twice a minute while it works. */
export function connectionCheck(url: string, clock: { now(): number }): (signal: AbortSignal) => Promise<void> {
  let reachedAt: number | undefined;
  return async (signal) => {
    const now = clock.now();
    if (reachedAt !== undefined && now - reachedAt < reachedMs) return;
    await connectOnce(url, signal);
    reachedAt = now;
  };
}
