/** Options of TLS connections, as PEM texts. Peers are always verified. */
export interface TlsOptions {
  /** The trusted certificate authorities instead of the system's. */
  readonly ca?: string;
  /** The client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
}
