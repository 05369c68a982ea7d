/** Tells the time. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** A message to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends e-mail. */
export interface Mailer {
  /** Resolves when a server has taken the message. */
  send(mail: Mail): Promise<void>;
}

/** A directory that teams take their members from. */
export interface Directory {
  /** `ldap`. */
  readonly service: string;
  /** The names of those in a group; undefined when there is no such group. @throws RegistryError `downstream_issue` */
  listGroup(group: string, options?: { readonly signal?: AbortSignal }): Promise<readonly string[] | undefined>;
}

/** Asks other hosts, never internal ones unless the settings allow them. */
export interface OutgoingGuard {
  /** Throws for a host that may not be asked, by its name or by where the name leads. @throws RegistryError `invalid_request` */
  check(host: string): Promise<void>;
  send(url: string, init?: RequestInit): Promise<Response>;
}

/** What the registry takes from outside. What is absent is not offered. */
export interface Ports {
  readonly clock: Clock;
  readonly outgoing: OutgoingGuard;
  readonly mailer?: Mailer;
  readonly directory?: Directory;
}
