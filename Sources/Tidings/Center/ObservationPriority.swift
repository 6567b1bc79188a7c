// SPDX-License-Identifier: Apache-2.0

/// The position of an observation among the others of the same message.
///
/// Higher priorities are called first; equal ones in the order in which they were registered.
///
/// ```swift
/// let token = center.messages(of: LoggedIn.self).priority(.high).observe { message in
///     print("first to know: \(message.name)")
/// }
/// ```
public struct ObservationPriority: Hashable, Sendable {
    /// The number in the width in which registrations store it.
    let rank: Int16

    /// The number that is compared; `normal` is 0.
    package var value: Int { Int(rank) }

    /// Creates a priority between or beyond the named ones.
    ///
    /// A number outside −32,768…32,767 becomes the nearest of these limits.
    package init(_ value: Int) {
        rank = Int16(clamping: value)
    }

    /// Called after all others.
    public static let low = ObservationPriority(-1_000)
    /// The priority of an observation that does not state one.
    public static let normal = ObservationPriority(0)
    /// Called before all others.
    public static let high = ObservationPriority(1_000)
    /// Called after every other one, also after `low`: for recorders.
    package static let last = ObservationPriority(.min)
}
