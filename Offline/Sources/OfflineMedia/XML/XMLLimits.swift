// SPDX-License-Identifier: Apache-2.0

/// The largest XML document to accept.
///
/// The limits bound the time and the memory of reading any document.
package struct XMLLimits: Hashable, Sendable {
    /// The size of the document in bytes.
    package var bytes = 16 << 20
    /// The number of elements.
    package var elements = 200_000
    /// The number of elements around an element, including the element.
    package var depth = 32
    /// The number of attributes of one element.
    package var attributes = 128
    /// The size in bytes of a tag, a comment, an instruction, and the text of one element.
    package var tokenBytes = 256 << 10

    /// Creates the default limits.
    package init() {}
}
