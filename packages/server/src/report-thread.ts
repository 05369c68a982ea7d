/** The program of a thread that writes a report in the format of another tool. */
import { parentPort, workerData } from "node:worker_threads";
import { serveReport } from "./registry/write-document.ts";

if (parentPort !== null) serveReport(parentPort, workerData);
