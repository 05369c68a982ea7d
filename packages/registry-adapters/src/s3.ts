/** Blobs in an S3-compatible store. */
export {
  type AwsEnvironment,
  awsCredentials,
  rememberCredentials,
  type S3CredentialSource,
  type S3Credentials,
} from "./blob-stores/aws-credentials.ts";
export { createS3BlobStore, type S3BlobStoreOptions, type S3Keys } from "./blob-stores/s3-blob-store.ts";
export type { S3Location, S3Place } from "./blob-stores/s3-client.ts";
