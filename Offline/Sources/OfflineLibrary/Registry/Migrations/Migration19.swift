// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Marks the items that stay beside another one of their address, such as those of `--again`.
    ///
    /// Nothing says which items of earlier versions a person wanted twice, so all of them stay.
    static let version19 = Migration([
        "ALTER TABLE items ADD COLUMN is_separate INTEGER NOT NULL DEFAULT 1"
    ])
}
