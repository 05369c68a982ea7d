/** The credentials that sign requests to a bucket. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Present in temporary credentials. */
  readonly sessionToken?: string;
  /** Epoch milliseconds; where absent, they do not expire. */
  readonly expiresAt?: number;
}

/** Finds credentials. @throws BlobStoreError `unavailable` */
export type S3CredentialSource = () => Promise<S3Credentials>;

/** How long before their expiry credentials are replaced. */
const earlyMs = 5 * 60_000;

/**
 * Caches credentials until five minutes before they expire. Concurrent requests for new ones share one call of `source`. If that
 * fails, the old ones are used until they expire.
 * @example
 * const source = rememberCredentials(async () => ({ accessKeyId: "key", secretAccessKey: "secret" }), Date.now);
 */
export function rememberCredentials(source: S3CredentialSource, now: () => number): S3CredentialSource {
  let current: S3Credentials | undefined;
  let pending: Promise<S3Credentials> | undefined;
  return async () => {
    if (current !== undefined && isGood(current, now() + earlyMs)) return current;
    pending ??= source().finally(() => {
      pending = undefined;
    });
    try {
      current = await pending;
    } catch (error) {
      if (current === undefined || !isGood(current, now())) throw error;
    }
    return current;
  };
}

function isGood({ expiresAt = Number.POSITIVE_INFINITY }: S3Credentials, at: number): boolean {
  return expiresAt > at;
}
