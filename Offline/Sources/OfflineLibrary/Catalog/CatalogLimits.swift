// SPDX-License-Identifier: Apache-2.0

/// The largest catalog to accept.
///
/// The limits bound the cost of a hostile catalog.
package struct CatalogLimits: Hashable, Sendable {
    /// The size of the document in bytes.
    package var bytes = 32 << 20
    /// The number of groups.
    package var groups = 10_000
    /// The number of lessons in all groups.
    package var lessons = 200_000
    /// The length of an identifier in characters.
    package var idLength = 120
    /// The length of a resolved address in bytes.
    package var addressBytes = 4_096
    /// The total length in bytes of all resolved addresses.
    package var totalAddressBytes = 64 << 20

    /// Creates the default limits.
    package init() {}

    /// The largest size of a stored copy in bytes.
    ///
    /// At every limit, all slashes may be escaped.
    package var storedBytes: Int { 2 * totalAddressBytes + 4 * bytes }
}
