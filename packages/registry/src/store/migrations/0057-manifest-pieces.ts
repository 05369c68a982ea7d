import { schemaMigration } from "./schema-migration.ts";

/** The content of a long manifest is in pieces beside its row, so that no query reads it that does not need it. */
export const manifestPiecesMigration = schemaMigration("0057-manifest-pieces", [
  `create table manifest_piece (manifest_id TEXT not null references image_manifest (id) on delete cascade,
     starts_at bigint not null, piece TEXT not null, primary key (manifest_id, starts_at))`,
  `insert into manifest_piece (manifest_id, starts_at, piece)
     with recursive part(manifest_id, number, characters) as (
       select id, 0, length(content) from image_manifest where size_bytes > 65536
       union all select manifest_id, number + 1, characters from part where (number + 1) * 32768 < characters),
     piece(manifest_id, number, piece) as (
       select manifest_id, number, substr(content, number * 32768 + 1, 32768) from part
       join image_manifest on image_manifest.id = part.manifest_id)
     select manifest_id, coalesce(sum(octet_length(piece)) over (partition by manifest_id order by number
       rows between unbounded preceding and 1 preceding), 0), piece from piece`,
  "update image_manifest set content = '' where size_bytes > 65536",
]);
