// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Marks the items that stay beside another item of the same address, for example after
    /// `--again`.
    ///
    /// For earlier versions, nothing shows which items the user wanted twice, so all items stay.
    static let version19 = Migration([
        "ALTER TABLE items ADD COLUMN is_separate INTEGER NOT NULL DEFAULT 1"
    ])
}
