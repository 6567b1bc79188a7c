// SPDX-License-Identifier: Apache-2.0

/// The order in which observations are called: higher priority first, then the older one.
struct Rank: Comparable, Sendable {
    let priority: Int16
    let id: UInt64

    static func < (left: Rank, right: Rank) -> Bool {
        left.priority == right.priority ? left.id < right.id : left.priority > right.priority
    }
}
