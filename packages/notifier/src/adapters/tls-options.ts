/** How a TLS connection is made; PEM texts. Peers are always verified. */
export interface TlsOptions {
  /** The trusted authorities in PEM, in place of the system's. */
  readonly ca?: string;
  /** Our own certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
}
