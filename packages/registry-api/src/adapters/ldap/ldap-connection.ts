import { isIP } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Client } from "ldapts";
import { RegistryError } from "../../errors.ts";

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
  /** How long the directory has for each answer, in milliseconds; 15,000 where absent. */
  readonly patienceMs?: number;
}

const defaultPatienceMs = 15_000;

/** A connection that is bound. @throws RegistryError `downstream_issue` */
export async function connect(options: LdapConnection): Promise<Client> {
  try {
    return await open(options);
  } catch (cause) {
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
}: LdapConnection): Promise<Client> {
  const { Client } = await import("ldapts");
  const isPlain = url.startsWith("ldap:");
  const tls = tlsOf(new URL(url), authorities);
  const client = new Client({
    url,
    timeout: patienceMs,
    connectTimeout: patienceMs,
    createSecureConnection: handshakeWithin(patienceMs),
    ...(!isPlain && { tlsOptions: tls }), // with them, ldapts speaks TLS from the first byte
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

/** Connects with TLS as Node does, but fails if the handshake does not finish in time. */
function handshakeWithin(patienceMs: number): typeof connectTls {
  return (...how: unknown[]) => {
    const socket = connectTls(...(how as Parameters<typeof connectTls>));
    socket.setTimeout(patienceMs, () => socket.destroy(new Error("the directory did not finish the TLS handshake")));
    return socket.once("secureConnect", () => socket.setTimeout(0));
  };
}

/** The certificate must have the name of `host`. Without `host`, StartTLS to an IP address would accept a certificate for `localhost`. */
function tlsOf({ hostname }: URL, authorities: string | undefined) {
  const host = hostname.replace(/^\[|\]$/g, "");
  return { host, ...(isIP(host) === 0 && { servername: host }), ...(authorities !== undefined && { ca: authorities }) };
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
