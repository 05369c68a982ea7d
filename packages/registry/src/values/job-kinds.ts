/** The kind of jobs that synchronize a mirror: they are declared above those that withdraw them. */
export const syncMirrorKind = "registry.sync-mirror";
