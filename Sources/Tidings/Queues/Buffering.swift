// SPDX-License-Identifier: Apache-2.0

/// The values to keep for a handler or a reader of a sequence that is slower than the poster.
///
/// A value that does not fit is dropped. ``ObservationToken/dropped`` and
/// ``ObservationSequence/dropped`` count the dropped values.
///
/// ```swift
/// for await message in center.messages(of: Progress.self).buffering(.newest(1)).values {
///     draw(message)
/// }
/// ```
public struct Buffering: Hashable, Sendable {
    enum Limit: Hashable {
        case newest(Int)
        case oldest(Int)
        case unbounded
    }

    let limit: Limit

    /// Keeps the last `count` values and drops the oldest value to make room for a new value.
    ///
    /// - Precondition: `count` is at least 1.
    public static func newest(_ count: Int) -> Buffering {
        require(count >= 1, "A buffer holds at least 1 value: .newest(\(count)) holds none.")
        return Buffering(limit: .newest(count))
    }

    /// Keeps the first `count` unread values and drops new values while the buffer is full.
    ///
    /// - Precondition: `count` is at least 1.
    public static func oldest(_ count: Int) -> Buffering {
        require(count >= 1, "A buffer holds at least 1 value: .oldest(\(count)) holds none.")
        return Buffering(limit: .oldest(count))
    }

    /// Keeps every value, so memory use grows while the reader is slower than the poster.
    public static let unbounded = Buffering(limit: .unbounded)
}
