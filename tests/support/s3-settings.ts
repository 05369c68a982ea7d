import { findRealS3, type S3Server } from "@plimsoll/testing";
import type { SettingTexts } from "./service-process.ts";

/** An S3 store of the tests, and the beginning of the keys in it. */
interface S3Place extends Pick<S3Server, "bucket" | "endpoint" | "region" | "accessKeyId" | "secretAccessKey"> {
  readonly prefix: string;
}

/** Settings of a service that keeps its blobs in an S3 store. */
export function s3Settings(place: S3Place): SettingTexts {
  const { bucket, prefix, endpoint, region, accessKeyId, secretAccessKey } = place;
  return {
    storage: `s3://${bucket}/${prefix}`,
    s3Endpoint: endpoint,
    s3Region: region,
    s3AccessKeyId: accessKeyId,
    s3SecretAccessKey: secretAccessKey,
  };
}

/** Settings of a service that keeps its blobs in the real S3 store of the tests, under keys of its own; undefined without one. */
export function realS3Settings(): SettingTexts | undefined {
  const location = findRealS3();
  return location === undefined ? undefined : s3Settings(location);
}
