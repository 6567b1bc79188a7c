// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// Resolves the references of a document, up to a limit for all references together.
///
/// The cost of a reference grows with the length of the base, and a document may have a million
/// references.
struct FeedResolver {
    let limits: FeedLimits
    /// Whether the document has more references than the limit allows.
    ///
    /// The rest is left out.
    private(set) var isExhausted = false
    private var cost = 0

    init(_ limits: FeedLimits) {
        self.limits = limits
    }

    /// Returns the address of a reference, or nil if the reference cannot be fetched.
    mutating func resolve(_ reference: String?, against base: WebAddress) -> WebAddress? {
        guard let text = reference.map(FeedText.trimmed), !text.isEmpty,
            text.utf8.count <= limits.textBytes
        else { return nil }
        // The references themselves are part of the document, whose size is limited.
        cost += base.text.utf8.count
        guard cost <= limits.resolvedBytes else {
            isExhausted = true
            return nil
        }
        guard let address = try? base.resolving(text),
            address.text.utf8.count <= limits.textBytes
        else { return nil }
        return address
    }
}
