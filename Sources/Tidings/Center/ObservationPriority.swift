// SPDX-License-Identifier: Apache-2.0

/// The position of an observation among all observations of the same message.
///
/// Higher priorities are called first. Equal priorities are called in registration order.
///
/// ```swift
/// let token = center.messages(of: LoggedIn.self).priority(.high).observe { message in
///     print("first to know: \(message.name)")
/// }
/// ```
public struct ObservationPriority: Hashable, Sendable {
    /// The number, in the integer width that registrations store.
    let rank: Int16

    /// The number that is compared, which is 0 for `normal`.
    package var value: Int { Int(rank) }

    /// Creates a priority between or beyond the named ones.
    ///
    /// A number outside −32,768…32,767 becomes the nearest of these limits.
    package init(_ value: Int) {
        rank = Int16(clamping: value)
    }

    /// The priority of an observation that is called after all `normal` and `high` ones.
    public static let low = ObservationPriority(-1_000)
    /// The default priority of an observation.
    public static let normal = ObservationPriority(0)
    /// The priority of an observation that is called before all `normal` and `low` ones.
    public static let high = ObservationPriority(1_000)
    /// The priority of a recorder, which is called after every other observation, including `low`.
    package static let last = ObservationPriority(.min)
}
