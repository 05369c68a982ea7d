import { availableParallelism } from "node:os";
import { defaultLimits, type Limits } from "@plimsoll/core/internal/limits";
import { defaultLayerBudget } from "@plimsoll/indexer/layer-budget";
import { setting } from "../setting.ts";
import { count, countsOf, names } from "../setting-kind.ts";

const limitNames = [
  "maxLayerBytes",
  "maxRatio",
  "ratioFromBytes",
  "maxEntries",
  "maxPathBytes",
  "maxMetaBytes",
  "maxFileBytes",
  "maxKeptBytes",
  "maxFindings",
  "maxFindingCharacters",
  "maxLayers",
] as const satisfies readonly (keyof Limits)[];

/** How many layers are read at the same time. */
const threads = { least: 4, perProcessor: 2 } as const;

/** Where layers may be fetched from, and limits for reading a layer. */
export const layerSettings = {
  layerNetworks: setting({
    kind: names,
    meaning: "Internal addresses and networks that layers may be fetched from.",
    default: [],
    example: ["10.0.0.0/8"],
    into: ["service"],
  }),
  layerConnectSeconds: setting({
    kind: count,
    meaning: "How long connecting to the server of a layer may take.",
    default: 10,
    into: ["service"],
  }),
  layerIdleSeconds: setting({
    kind: count,
    meaning: "How long to wait for data from the server of a layer.",
    default: 30,
    into: ["service"],
  }),
  layerTotalSeconds: setting({
    kind: count,
    meaning: "How long fetching one layer may take, with all attempts.",
    default: 3600,
    into: ["service"],
  }),
  layerThreads: setting({
    kind: count,
    meaning:
      "How many layers are read at the same time, each in its own thread. Layers that arrive slowly do not count, up to four times this number in total.",
    default: Math.max(threads.least, threads.perProcessor * availableParallelism()),
    otherwise: `${threads.perProcessor} times the number of processors, at least ${threads.least}; fewer if the memory is not enough for this number times \`layerHeapMegabytes\``,
    example: 4,
    into: ["service"],
  }),
  layerCpuSeconds: setting({
    kind: count,
    meaning: "How much CPU time reading one layer may take.",
    default: defaultLayerBudget.layerCpuSeconds,
    into: ["service"],
  }),
  layerHeapMegabytes: setting({
    kind: count,
    meaning: "How much heap memory reading one layer may take.",
    default: defaultLayerBudget.layerHeapMegabytes,
    into: ["service"],
  }),
  limits: setting({
    kind: countsOf(limitNames),
    meaning:
      "Limits for one image that differ from the engine's defaults. A layer with more packages than `maxFindings` is rejected.",
    default: {},
    otherwise: `the engine's limits; maxFindings is ${defaultLimits.maxFindings}`,
    example: { maxLayers: 128 },
    into: ["service"],
  }),
} as const;
