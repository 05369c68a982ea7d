export { arrivalOver, fullTestArrivals, type TestArrival, testArrivals, transportsOf } from "./arrivals.ts";
export { collectBytes, streamBytes } from "./byte-streams.ts";
export { collectGarbage } from "./collect-garbage.ts";
export { type Containerd, startContainerd, whyNoContainerd } from "./containerd.ts";
export { refusedDigest, startContractIndexer } from "./contract-peers/contract-indexer.ts";
export { startContractMatcher } from "./contract-peers/contract-matcher.ts";
export { contractType, refusal, type StrictService, startStrictService } from "./contract-peers/strict-service.ts";
export { type FakeUpdate, fakeUpdater, testAdvisory } from "./contracts/advisories.ts";
export { advisorySourceContract, type OpenAdvisorySource } from "./contracts/advisory-source-contract.ts";
export type { ContractCase } from "./contracts/contract.ts";
export {
  type EnginePair,
  enginePairs,
  engineTitle,
  longTestEngines,
  memoryTestEngine,
  storeTestEngines,
  type TestDatabase,
  type TestEngine,
  testEngines,
  usualTestEngine,
} from "./contracts/databases.ts";
export {
  type IndexServiceSubject,
  type IndexServiceWorld,
  indexServiceContract,
} from "./contracts/index-service-contract.ts";
export { jobCancelContract } from "./contracts/job-cancel-contract.ts";
export { jobEndContract } from "./contracts/job-end-contract.ts";
export { jobEnqueueContract } from "./contracts/job-enqueue-contract.ts";
export { jobOrderContract } from "./contracts/job-order-contract.ts";
export { jobQueueContract, sharedJobQueueContract } from "./contracts/job-queue-contract.ts";
export { jobScheduleContract } from "./contracts/job-schedule-contract.ts";
export {
  type MatchDiff,
  type MatchOperation,
  type MatchServiceSubject,
  type MatchServiceWorld,
  matchServiceContract,
} from "./contracts/match-service-contract.ts";
export { sharedJobRulesContract } from "./contracts/shared-job-rules-contract.ts";
export {
  type StoreContractTables,
  sharedStoreContract,
  storeContract,
  storeContractMigrations,
} from "./contracts/store-contract.ts";
export { findCorpus } from "./corpus.ts";
export { cpuMsOf } from "./cpu-time.ts";
export { damagedForms, fuzzRuns } from "./damaged-bytes.ts";
export { type EngineImage, type EngineServer, startEngineServer } from "./engine-server.ts";
export { type FakeTime, fakeTime } from "./fake-time.ts";
export { type FeedAnswer, type FeedRequest, type FeedServer, startFeedServer } from "./feed-server.ts";
export { type ClientOperation, type GeneratedClient, generateClient } from "./generate-client.ts";
export {
  type BuiltBlob,
  type BuiltImage,
  type BuiltIndex,
  type BuiltLayer,
  type BuiltPlatform,
  blobsOf,
  buildImage,
  buildIndex,
  buildLayer,
  compress,
  describeBlob,
  digestOf,
  dockerArchiveTree,
  type ImageParts,
  type LayerCompression,
  ociLayoutTree,
  packTree,
  type Tree,
  type TreeEntry,
} from "./image-builder.ts";
export { type LayerChecking, type LayerRead, type LayerToRead, layerChecking } from "./layer-reading.ts";
export { type LoopbackCertificate, loopbackCertificate } from "./loopback-certificate.ts";
export { makeZip, type ZipForm, zipSource } from "./make-zip.ts";
export { openTestStore } from "./migrated-store.ts";
export { type OidcFault, type OidcServer, type OidcServerOptions, startOidcServer } from "./oidc/oidc-server.ts";
export { openFiles } from "./open-files.ts";
export { databaseName, maintenanceOf, onPostgres } from "./postgres-server.ts";
export { type ProxiedRequest, type ProxyServer, startProxyServer } from "./proxy-server.ts";
export { findRabbit, type TestRabbit } from "./rabbitmq.ts";
export { findRealS3, type TestBucket } from "./real-s3.ts";
export {
  openRegistryServer,
  type RegistryFault,
  type RegistryServer,
  type RegistryServerOptions,
  type SeenRequest,
} from "./registry-server.ts";
export { type Relay, startRelay } from "./relay.ts";
export { type S3Server, startS3Server } from "./s3-server.ts";
export { skipNote } from "./skip-note.ts";
export { type SlowLayer, slowLayers } from "./slow-layers.ts";
export { mountSmallDisk, noSmallDisk, type SmallDisk } from "./small-disk.ts";
export { type DaemonCommand, startDaemon } from "./start-daemon.ts";
export {
  buildTar,
  buildTarWithoutEnd,
  concatBytes,
  longNameMember,
  type OddMember,
  paxMember,
} from "./tar-builder.ts";
export { forkProgram, nameSources, type TestProgram, testProgram } from "./test-programs.ts";
export { fullTestRuns, noLongTests } from "./test-runs.ts";
export { createTestSender, type TestApp, type TestRequest, type TestResponse, type TestSender } from "./test-sender.ts";
export {
  type CollectorAnswer,
  type ReceivedSpan,
  startTraceCollector,
  type TraceCollector,
} from "./trace-collector.ts";
export {
  fullTestTransports,
  openTransportClient,
  type TestTransport,
  type TransportClient,
  testTransports,
  transportOptions,
  usualTestTransport,
} from "./transports.ts";
export { type SizedKind, unboundedParts } from "./unbounded-parts.ts";
export { stranger, valuesWithStrangers } from "./values-with-strangers.ts";
export { startWebhookReceiver, type WebhookCall, type WebhookReceiver } from "./webhook-receiver.ts";
