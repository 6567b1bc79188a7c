// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Gives each item a position in the order of the queue, and adds indexes for the first queued
    /// items.
    ///
    /// These indexes also find the first items of one host without reading other items. SQLite
    /// derives the host from the address. The host is empty for an item without a host in the
    /// address.
    static let version11 = Migration([
        "ALTER TABLE items ADD COLUMN position INTEGER NOT NULL DEFAULT 0",
        "UPDATE items SET position = id",
        """
        ALTER TABLE items ADD COLUMN host TEXT GENERATED ALWAYS AS (
            CASE instr(source, '://') WHEN 0 THEN '' ELSE lower(substr(
                source,
                instr(source, '://') + 3,
                instr(substr(source, instr(source, '://') + 3) || '/', '/') - 1
            )) END
        ) VIRTUAL
        """,
        "CREATE INDEX items_in_queue ON items (state, position)",
        "CREATE INDEX items_by_host ON items (state, host, position)",
        "CREATE INDEX items_by_position ON items (position)",
        "CREATE INDEX items_to_record ON items (state, position) WHERE live = 1",
    ])
}
