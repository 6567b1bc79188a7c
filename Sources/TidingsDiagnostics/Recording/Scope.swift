// SPDX-License-Identifier: Apache-2.0

/// What a report takes with it, as a value.
struct Scope {
    /// How many keys can be set; a further one is not taken and counted.
    static let valueLimit = 64
    /// How many breadcrumbs are kept; the oldest go.
    static let breadcrumbLimit = 100

    private(set) var values: [String: ReportValue] = [:]
    var user: String?
    private(set) var refusedValues = 0
    private var ring: [Breadcrumb] = []
    /// Where the next breadcrumb goes once the ring is full.
    private var next = 0

    /// The breadcrumbs, the oldest first.
    var breadcrumbs: [Breadcrumb] { Array(ring[next...] + ring[..<next]) }

    /// Adds a breadcrumb and returns the one that had to go, for the caller to drop.
    mutating func append(_ breadcrumb: Breadcrumb) -> Breadcrumb? {
        guard ring.count == Self.breadcrumbLimit else {
            if ring.isEmpty { ring.reserveCapacity(Self.breadcrumbLimit) }
            ring.append(breadcrumb)
            return nil
        }
        let oldest = ring[next]
        ring[next] = breadcrumb
        next = (next + 1) % ring.count
        return oldest
    }

    /// Forgets the breadcrumbs and returns them, for the caller to drop.
    mutating func forgetBreadcrumbs() -> [Breadcrumb] {
        defer { (ring, next) = ([], 0) }
        return ring
    }

    /// Sets a key and returns whether it was taken.
    mutating func set(_ value: ReportValue?, for name: String) -> Bool {
        if value != nil, values[name] == nil, values.count >= Self.valueLimit {
            refusedValues += 1
            return false
        }
        values[name] = value
        return true
    }

    /// What of it lies in the file of a run.
    var record: ScopeRecord { ScopeRecord(user: user, values: values) }
}
