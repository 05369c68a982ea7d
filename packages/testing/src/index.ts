export type { ContractCase } from "./contracts/contract.ts";
export { engineTitle, type TestDatabase, type TestEngine, testEngines } from "./contracts/databases.ts";
export {
  type StoreContractTables,
  sharedStoreContract,
  storeContract,
  storeContractMigrations,
} from "./contracts/store-contract.ts";
export { findCorpus } from "./corpus.ts";
export {
  buildTar,
  buildTarWithoutEnd,
  concatBytes,
  longNameMember,
  type OddMember,
  paxMember,
} from "./tar-builder.ts";
