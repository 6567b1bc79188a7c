// SPDX-License-Identifier: Apache-2.0

/// The newest breadcrumbs.
///
/// A copy shares its texts with the original until the next breadcrumb, so that recording an error
/// copies none.
struct BreadcrumbRing: Sendable {
    /// The maximum number of breadcrumbs; the oldest are dropped.
    static let limit = 100

    private var ring: [Breadcrumb] = []
    /// The position of the next breadcrumb once the ring is full.
    private var next = 0

    /// The breadcrumbs, oldest first.
    var inOrder: [Breadcrumb] { next == 0 ? ring : Array(ring[next...] + ring[..<next]) }

    /// Adds a breadcrumb and replaces the variable by the dropped one, for the caller to release.
    ///
    /// - Returns: Whether one was dropped; otherwise the variable is unchanged.
    @discardableResult
    mutating func append(_ breadcrumb: inout Breadcrumb) -> Bool {
        guard ring.count == Self.limit else {
            if ring.isEmpty { ring.reserveCapacity(Self.limit) }
            ring.append(breadcrumb)
            return false
        }
        // Copies no text, which would count its references up and down.
        swap(&ring[next], &breadcrumb)
        next = next + 1 == ring.count ? 0 : next + 1
        return true
    }
}
