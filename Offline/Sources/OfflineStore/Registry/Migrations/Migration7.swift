// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds the options of an item's requests as JSON, or null without options.
    static let version7 = Migration(["ALTER TABLE items ADD COLUMN options TEXT"])
}
