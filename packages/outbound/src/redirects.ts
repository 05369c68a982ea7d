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
  /** The target, if it is a plain http address. Do not show it to clients: it may reveal an internal network. */
  readonly to: URL | undefined;

  /** @param found the text for messages: `a redirect that gives up TLS` */
  constructor(from: URL, found: string, to?: URL) {
    super(found);
    this.from = from;
    this.to = to;
  }
}

/**
 * An error of the network after a redirect to another host; `cause` is the original error.
 * @example
 * declare const error: unknown;
 * if (error instanceof FailedElsewhere) console.log(`${error.host} failed`);
 */
export class FailedElsewhere extends Error {
  override readonly name = "FailedElsewhere";
  /** The host, with its port if the URL has one. */
  readonly host: string;

  constructor(host: string, cause: unknown) {
    super(`a redirect led to ${host}, which failed`, { cause });
    this.host = host;
  }
}

/** How many redirects of a request are followed. */
export const maxRedirects = 5;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The `Location` of a redirect; undefined for other responses. */
export function redirectOf(status: number, location: string | string[] | undefined): string | undefined {
  return redirectStatuses.has(status) && typeof location === "string" ? location : undefined;
}

/**
 * Resolves the target of a redirect. A redirect from https to http is refused, except for hosts that allow plain http.
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
