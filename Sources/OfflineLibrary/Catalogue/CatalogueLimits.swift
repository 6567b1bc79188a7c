// SPDX-License-Identifier: Apache-2.0

/// What a catalogue may take, so that a hostile one costs little.
package struct CatalogueLimits: Hashable, Sendable {
    /// The bytes of the document.
    package var bytes = 32 << 20
    package var groups = 10_000
    /// In all groups together.
    package var lessons = 200_000
    /// The characters of an identifier.
    package var idLength = 120
    /// The bytes of one address, once it is complete.
    package var addressBytes = 4_096
    /// The bytes of all addresses, once they are complete.
    package var allAddressBytes = 64 << 20

    package init() {}

    /// The bytes of a stored copy: every limit reached, every slash of an address escaped.
    package var storedBytes: Int { 2 * allAddressBytes + 4 * bytes }
}
