// SPDX-License-Identifier: Apache-2.0

/// A pattern of subjects: `*` stands for one token, `>` at the end for one or more.
///
/// A transport whose server cannot filter compares each subject with ``matches(_:)``.
///
/// ```swift
/// SubjectFilter("shop.orders.*").matches("shop.orders.eu")  // true
/// ```
public struct SubjectFilter: Hashable, Sendable {
    /// The pattern as written.
    public let pattern: String

    /// Creates a filter.
    public init(_ pattern: String) {
        self.pattern = pattern
    }

    /// Returns whether the pattern describes a subject.
    public func matches(_ subject: String) -> Bool {
        var expected = pattern.utf8.split(separator: dot, omittingEmptySubsequences: false)[...]
        var found = subject.utf8.split(separator: dot, omittingEmptySubsequences: false)[...]
        while let next = expected.popFirst() {
            if expected.isEmpty, next.elementsEqual(">".utf8) { return !found.isEmpty }
            guard let token = found.popFirst() else { return false }
            guard next.elementsEqual("*".utf8) || next.elementsEqual(token) else { return false }
        }
        return found.isEmpty
    }
}

private let dot = UInt8(ascii: ".")
