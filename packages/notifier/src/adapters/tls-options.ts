/** How a TLS connection is made; PEM texts. Peers are always verified. */
export interface TlsOptions {
  /** Who is trusted, in place of the system's authorities. */
  readonly ca?: string;
  /** Our own certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
}
