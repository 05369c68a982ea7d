/** The credentials that sign requests to a bucket. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of credentials that a role was given for a while. */
  readonly sessionToken?: string;
  /** Epoch milliseconds; they are good for ever where absent. */
  readonly expiresAt?: number;
}

/** Finds credentials. @throws BlobStoreError `unavailable` */
export type S3CredentialSource = () => Promise<S3Credentials>;

/** How long before their end credentials are replaced. */
const earlyMs = 5 * 60_000;

/**
 * Remembers credentials until five minutes before they expire; many requests at once ask for new ones once. Where new ones cannot be had,
 * the old ones are used to their end.
 * @example
 * const source = rememberCredentials(async () => ({ accessKeyId: "key", secretAccessKey: "secret" }), Date.now);
 */
export function rememberCredentials(source: S3CredentialSource, now: () => number): S3CredentialSource {
  let kept: S3Credentials | undefined;
  let asking: Promise<S3Credentials> | undefined;
  return async () => {
    if (kept !== undefined && isGood(kept, now() + earlyMs)) return kept;
    asking ??= source().finally(() => {
      asking = undefined;
    });
    try {
      kept = await asking;
    } catch (error) {
      if (kept === undefined || !isGood(kept, now())) throw error;
    }
    return kept;
  };
}

function isGood({ expiresAt = Number.POSITIVE_INFINITY }: S3Credentials, at: number): boolean {
  return expiresAt > at;
}
