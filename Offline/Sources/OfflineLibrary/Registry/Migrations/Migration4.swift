// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Marks the parts that the server lacks.
    static let version4 = Migration([
        "ALTER TABLE parts ADD COLUMN gap INTEGER NOT NULL DEFAULT 0"
    ])
}
