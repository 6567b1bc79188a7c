// SPDX-License-Identifier: Apache-2.0

/// A copy of a resource's data, with the time at which the source returned the data.
///
/// A ``ResourceStore`` stores both and returns both unchanged. The age of a copy is measured by the
/// wall clock, because no other clock runs while the program does not. Without a time, or with a
/// time in the future, the copy counts as stale.
///
/// ```swift
/// let copy = StoredCopy([Lesson(id: 1, title: "Scales")], loadedAt: .seconds(1_700_000_000))
/// ```
public struct StoredCopy<Value: Sendable>: Sendable {
    /// The data.
    public var value: Value
    /// The time of the load, since 1 January 1970, UTC, or nil if unknown.
    public var loadedAt: Duration?

    /// Creates a copy.
    ///
    /// - Parameters:
    ///   - value: The data.
    ///   - loadedAt: The time of the load, since 1 January 1970, UTC, or unknown by default.
    public init(_ value: Value, loadedAt: Duration? = nil) {
        self.value = value
        self.loadedAt = loadedAt
    }
}

extension StoredCopy: Equatable where Value: Equatable {}

extension StoredCopy {
    /// Returns the time of the load on a clock that reads `now` when the wall clock reads
    /// `wallTime`.
    ///
    /// - Returns: The time, or nil if the copy has no time or a later time.
    func loadedAt(now: Duration, wallTime: Duration) -> Duration? {
        guard let loadedAt, loadedAt <= wallTime else { return nil }
        return now - (wallTime - loadedAt)
    }
}
