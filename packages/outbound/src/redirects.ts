/**
 * A redirect that is not followed.
 * @example
 * declare const error: unknown;
 * if (error instanceof RefusedRedirect) console.log(`${error.from.host}: ${error.message}`);
 */
export class RefusedRedirect extends Error {
  override readonly name = "RefusedRedirect";
  /** The host that sent it. */
  readonly from: URL;
  /** Where it leads, where that is a web address without TLS: not for messages to clients, whose network it may not be. */
  readonly to: URL | undefined;

  /** @param found what came, for a message: `a redirect that gives up TLS` */
  constructor(from: URL, found: string, to?: URL) {
    super(found);
    this.from = from;
    this.to = to;
  }
}

/**
 * What the network threw where a redirect had led to another host than the one that was asked; `cause` is what it threw.
 * @example
 * declare const error: unknown;
 * if (error instanceof FailedElsewhere) console.log(`${error.host} failed`);
 */
export class FailedElsewhere extends Error {
  override readonly name = "FailedElsewhere";
  /** With the port, where one was named. */
  readonly host: string;

  constructor(host: string, cause: unknown) {
    super(`a redirect led to ${host}, which failed`, { cause });
    this.host = host;
  }
}

/** How often a request is led elsewhere. */
export const maxRedirects = 5;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether an answer leads elsewhere, and where; undefined for every other answer. */
export function redirectOf(status: number, location: string | string[] | undefined): string | undefined {
  return redirectStatuses.has(status) && typeof location === "string" ? location : undefined;
}

/**
 * Where a redirect leads. TLS is not given up but for hosts that may be spoken to without it.
 * @throws RefusedRedirect
 */
export function followRedirect(location: string, from: URL, mayUsePlainHttp: (host: string) => boolean): URL {
  const url = URL.parse(location, from.href);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new RefusedRedirect(from, "a redirect to an address that is not http(s), or that has user information");
  }
  if (url.protocol === "http:" && from.protocol === "https:" && !mayUsePlainHttp(url.host)) {
    throw new RefusedRedirect(from, "a redirect that gives up TLS", url);
  }
  return url;
}
