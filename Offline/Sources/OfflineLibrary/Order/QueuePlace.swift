// SPDX-License-Identifier: Apache-2.0

/// The place in the queue to which a person moves an item.
package enum QueuePlace: String, Hashable, Sendable, Codable, CaseIterable {
    /// Before all others.
    case top
    /// Before the previous one.
    case up
    /// After the next one.
    case down
    /// After all others.
    case bottom
}
