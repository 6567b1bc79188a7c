// SPDX-License-Identifier: Apache-2.0

/// The values to keep for a handler, or the reader of a sequence, that is slower than the poster.
///
/// A value that does not fit is dropped; ``ObservationToken/dropped`` and
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

    /// Keeps the last `count` values and drops the oldest one for a new one.
    ///
    /// - Precondition: `count` is at least 1.
    public static func newest(_ count: Int) -> Buffering {
        require(count >= 1, "A buffer holds at least 1 value: .newest(\(count)) holds none.")
        return Buffering(limit: .newest(count))
    }

    /// Keeps the first `count` unread values and drops new ones while it is full.
    ///
    /// - Precondition: `count` is at least 1.
    public static func oldest(_ count: Int) -> Buffering {
        require(count >= 1, "A buffer holds at least 1 value: .oldest(\(count)) holds none.")
        return Buffering(limit: .oldest(count))
    }

    /// Keeps every value; memory use grows while the reader is slower than the poster.
    public static let unbounded = Buffering(limit: .unbounded)
}
