import { findRealS3 } from "@plimsoll/testing";
import type { SettingTexts } from "./service-process.ts";

/** Settings of a service that keeps its blobs in the real S3 store of the tests, under keys of its own; undefined without one. */
export function realS3Settings(): SettingTexts | undefined {
  const location = findRealS3();
  if (location === undefined) return undefined;
  const { bucket, prefix, endpoint, region, accessKeyId, secretAccessKey } = location;
  return {
    storage: `s3://${bucket}/${prefix}`,
    s3Endpoint: endpoint,
    s3Region: region,
    s3AccessKeyId: accessKeyId,
    s3SecretAccessKey: secretAccessKey,
  };
}
