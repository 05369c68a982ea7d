/** The program of a thread that reads layers. */
import { parentPort, workerData } from "node:worker_threads";
import { serveLayers } from "./adapters/pool/serve-layers.ts";

if (parentPort !== null) serveLayers(parentPort, workerData);
