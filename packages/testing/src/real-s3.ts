import { randomUUID } from "node:crypto";

/** A bucket of a real S3-compatible store for tests, as `scripts/start-s3.sh` starts one. */
export interface TestBucket {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Begins the keys of one test only; ends in a slash. */
  readonly prefix: string;
}

/** A bucket in the store that `PLIMSOLL_TEST_S3` names, as `http://KEY:SECRET@HOST:PORT/BUCKET?region=REGION`; undefined without. */
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
