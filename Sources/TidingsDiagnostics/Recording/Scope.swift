// SPDX-License-Identifier: Apache-2.0

/// The user, keys and breadcrumbs that a report includes.
struct Scope {
    /// The maximum number of keys; further ones are refused and counted.
    static let valueLimit = 64
    /// The maximum number of breadcrumbs; the oldest are dropped.
    static let breadcrumbLimit = 100

    private(set) var values: [String: ReportValue] = [:]
    var user: String?
    private(set) var refusedValues = 0
    private var ring: [Breadcrumb] = []
    /// The position of the next breadcrumb once the ring is full.
    private var next = 0

    /// The breadcrumbs, oldest first.
    var breadcrumbs: [Breadcrumb] { Array(ring[next...] + ring[..<next]) }

    /// Adds a breadcrumb and replaces the variable by the dropped one, for the caller to release.
    ///
    /// - Returns: Whether one was dropped; otherwise the variable is unchanged.
    @discardableResult
    mutating func append(_ breadcrumb: inout Breadcrumb) -> Bool {
        guard ring.count == Self.breadcrumbLimit else {
            if ring.isEmpty { ring.reserveCapacity(Self.breadcrumbLimit) }
            ring.append(breadcrumb)
            return false
        }
        // Copies no text, which would count its references up and down.
        swap(&ring[next], &breadcrumb)
        next = next + 1 == ring.count ? 0 : next + 1
        return true
    }

    /// Removes the breadcrumbs and returns them, for the caller to release.
    mutating func removeBreadcrumbs() -> [Breadcrumb] {
        defer { (ring, next) = ([], 0) }
        return ring
    }

    /// Sets a key and returns whether it was accepted.
    mutating func set(_ value: ReportValue?, for name: String) -> Bool {
        if value != nil, values[name] == nil, values.count >= Self.valueLimit {
            refusedValues += 1
            return false
        }
        values[name] = value
        return true
    }

    /// The part that is stored in the file of a run.
    var record: ScopeRecord { ScopeRecord(user: user, values: values) }
}
