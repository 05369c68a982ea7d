import { randomUUID } from "node:crypto";

/** A bucket of a real S3-compatible store for tests, such as `scripts/start-service.sh s3` starts. */
export interface TestBucket {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** A prefix for keys that no other test uses; ends in a slash. */
  readonly prefix: string;
}

/** The bucket that `PLIMSOLL_TEST_S3` names, as `http://KEY:SECRET@HOST:PORT/BUCKET?region=REGION`; undefined where it is not set. */
export function findRealS3(): TestBucket | undefined {
  const address = process.env.PLIMSOLL_TEST_S3;
  if (address === undefined || address === "") return undefined;
  const { origin, pathname, searchParams, username, password } = new URL(address);
  return {
    endpoint: origin,
    bucket: pathname.slice(1),
    region: searchParams.get("region") ?? "us-east-1",
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    prefix: `plimsoll-test/${randomUUID()}/`,
  };
}
