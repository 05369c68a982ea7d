import type { KnipConfig } from "knip";

/** What `npm run unused` looks at: what ships, without tests. An export that its own file uses may be there for a test. */
const config: KnipConfig = {
  ignoreExportsUsedInFile: true,
  workspaces: {
    ".": { entry: [], project: [] },
    "packages/*": { project: ["src/**/*.ts!", "!src/**/fixtures/**!"] },
    "packages/console": {
      entry: ["vite.config.ts!", "web/main.tsx!", "web/shell/jsx-runtime.ts!", "web/report/write-parts.tsx!"],
      project: ["src/**/*.ts!", "web/**/*.{ts,tsx}!", "!web/**/fixtures/**!"],
      ignoreDependencies: ["@types/react-dom"],
    },
    "packages/core": {
      entry: ["src/zip/zip-reader.ts!"], // for detectors of language packages
      project: ["src/**/*.ts!", "!src/**/fixtures/**!"],
    },
    "packages/testing": { project: ["src/**/*.ts!"], ignoreBinaries: ["containerd", "mount", "umount"] },
  },
  ignoreIssues: {
    "packages/core/src/layer/paths.ts": ["exports"], // foldersAbove
    "packages/indexer/src/adapters/containerd/protocol/*_pb.ts": ["exports", "types"], // generated
    "packages/core/src/match/range.ts": ["exports"], // compareText
    "packages/outbound/src/undici-parts.ts": ["exports"], // read as `typeof import(…)`
  },
};

export default config;
