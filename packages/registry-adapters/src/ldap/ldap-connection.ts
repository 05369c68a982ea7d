import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { RegistryError } from "@plimsoll/registry/errors";
import type { Client } from "ldapts";
import { loadLibrary } from "../load-library.ts";

/** The address of a directory, and the credentials for reading it. */
export interface LdapConnection {
  /** `ldap://host:389` or `ldaps://host:636`. */
  readonly url: string;
  readonly bindDn: string;
  readonly bindPassword: string;
  /** Whether plain connections are encrypted with StartTLS before anything else; true where absent. Ignored for `ldaps:`. */
  readonly startTls?: boolean;
  /** Trusted certificate authorities for the directory's certificate, in PEM; where absent, those of Node. */
  readonly authorities?: string;
  /** How long the directory has for each answer, and for all answers of a sign-in, in milliseconds; 15,000 where absent. */
  readonly patienceMs?: number;
}

type PlainConnection = [port: number, host?: string];

/** How long the directory has for each answer, and for all answers of a sign-in. */
export const defaultPatienceMs = 15_000;

/** The options of one use of a directory. */
export interface DirectoryCall {
  /** Closes the connection when it is aborted; the call then fails with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `use` with a bound connection, which is closed afterwards.
 * @throws RegistryError `downstream_issue`; the reason of the signal when it is aborted
 */
export async function withConnection<T>(
  options: LdapConnection & DirectoryCall,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    const client = await open(options);
    try {
      return await use(client);
    } finally {
      await client.unbind().catch(() => {});
    }
  } catch (cause) {
    options.signal?.throwIfAborted();
    throw directoryError(cause);
  }
}

/** A connection that is bound. @throws what ldapts throws */
export async function open({
  url,
  bindDn,
  bindPassword,
  startTls = true,
  authorities,
  patienceMs = defaultPatienceMs,
  signal,
}: LdapConnection & DirectoryCall): Promise<Client> {
  signal?.throwIfAborted();
  const { Client } = await loadLibrary("ldapts", import("ldapts"));
  const isPlain = url.startsWith("ldap:");
  const tls = tlsOf(new URL(url), authorities);
  const closing = closeWhenAborted(signal);
  const client = new Client({
    url,
    timeout: patienceMs,
    connectTimeout: patienceMs,
    createConnection: once((...how) => closing(connectPlain(...(how as PlainConnection)))),
    createSecureConnection: once((...how) => closing(handshakeWithin(patienceMs, how))),
    tlsOptions: !isPlain ? tls : undefined, // with them, ldapts speaks TLS from the first byte
  });
  try {
    if (startTls && isPlain) await client.startTLS(tls);
    await client.bind(bindDn, bindPassword);
    return client;
  } catch (cause) {
    await client.unbind().catch(() => {});
    throw cause;
  }
}

/**
 * A function that fails when it is called again. A closed connection is not opened anew: ldapts would go on there without StartTLS and
 * without the bind, and believe what it reads.
 */
function once<S extends Socket>(connect: (...how: unknown[]) => S): (...how: unknown[]) => S {
  let wasCalled = false;
  return (...how) => {
    if (wasCalled) throw new Error("the directory has closed the connection");
    wasCalled = true;
    return connect(...how);
  };
}

/** Connects with TLS as Node does, but fails if the handshake does not finish in time. */
function handshakeWithin(patienceMs: number, how: unknown[]): TLSSocket {
  const socket = connectTls(...(how as Parameters<typeof connectTls>));
  socket.setTimeout(patienceMs, () => socket.destroy(new Error("the directory did not finish the TLS handshake")));
  return socket.once("secureConnect", () => socket.setTimeout(0));
}

/**
 * Returns a function that takes the sockets of a connection, each above the one before, and closes the last one when the signal is
 * aborted, with an error: ldapts then fails all that waits. An error of two of them would end the process.
 */
function closeWhenAborted(signal: AbortSignal | undefined): <S extends Socket>(socket: S) => S {
  let last: Socket | undefined;
  const close = () => last?.destroy(new Error("the call was aborted"));
  signal?.addEventListener("abort", close, { once: true });
  return (socket) => {
    last = socket;
    socket.once("close", () => signal?.removeEventListener("abort", close));
    if (signal?.aborted) close();
    return socket;
  };
}

/** The certificate must have the name of `host`. Without `host`, StartTLS to an IP address would accept a certificate for `localhost`. */
function tlsOf({ hostname }: URL, authorities: string | undefined) {
  const host = hostname.replace(/^\[|\]$/g, "");
  return { host, servername: isIP(host) === 0 ? host : undefined, ca: authorities };
}

/** The values of an attribute that are texts. */
export function textsOf(value: unknown): readonly string[] {
  return [value].flat().filter((each): each is string => typeof each === "string" && each !== "");
}

/** The error of a failed request to the directory. Its message has no details; the cause is for the log. */
export function directoryError(cause: unknown): RegistryError {
  if (cause instanceof RegistryError) return cause;
  return new RegistryError("downstream_issue", "The directory cannot be reached at the moment", { cause });
}
