// SPDX-License-Identifier: Apache-2.0

/// The handle of one observation.
///
/// The observation ends when `cancel()` is called or the last reference to its token is dropped,
/// whichever comes first, from any thread. An observation bound to an owner lives as long as the
/// owner: dropping its token early changes nothing, and a token that the owner stores releases
/// the handler at the moment the owner is deallocated.
///
/// ```swift
/// let token = center.observe(LoggedIn.self) { print("hello, \($0.name)") }
/// token.cancel()
/// ```
public final class ObservationToken: Sendable {
    let registration: Registration

    init(_ registration: Registration) {
        self.registration = registration
    }

    deinit {
        if !registration.flags.contains(.owned) || registration.isExpired { cancel() }
    }

    /// Whether the observation has ended: by its token, with its first call, with its center, or
    /// because its owner or subject was found to be deallocated.
    public var hasEnded: Bool { registration.parts.allSatisfy { !$0.isActive } }

    /// Ends the observation.
    ///
    /// After this call has returned, no handler call begins, neither for a post in progress nor for
    /// a queued one. A call on another thread that had already begun may still run. Cancelling
    /// again changes nothing.
    public func cancel() {
        registration.cancel()
    }
}
