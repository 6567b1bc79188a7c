// SPDX-License-Identifier: Apache-2.0

/// The newest breadcrumbs.
///
/// A copy shares all strings with the original until the next breadcrumb, so that recording an
/// error copies no string.
struct BreadcrumbRing: Sendable {
    /// The maximum number of breadcrumbs, beyond which the oldest are dropped.
    static let limit = 100

    private var ring: [Breadcrumb] = []
    /// The position of the next breadcrumb once the ring is full.
    private var next = 0

    /// The breadcrumbs, oldest first.
    var inOrder: [Breadcrumb] { next == 0 ? ring : Array(ring[next...] + ring[..<next]) }

    /// Adds a breadcrumb and moves a dropped breadcrumb to the variable, for the caller to release.
    ///
    /// - Returns: Whether a breadcrumb was dropped. Otherwise, the variable is unchanged.
    @discardableResult
    mutating func append(_ breadcrumb: inout Breadcrumb) -> Bool {
        guard ring.count == Self.limit else {
            if ring.isEmpty { ring.reserveCapacity(Self.limit) }
            ring.append(breadcrumb)
            return false
        }
        // A copy of a string would change the reference count, which a swap does not.
        swap(&ring[next], &breadcrumb)
        next = next + 1 == ring.count ? 0 : next + 1
        return true
    }
}
