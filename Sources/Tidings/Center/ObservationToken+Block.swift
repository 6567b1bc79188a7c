// SPDX-License-Identifier: Apache-2.0

extension ObservationToken {
    /// Stops delivering messages to this observation until ``resume()`` is called.
    ///
    /// After this call has returned, no call of the handler begins. The observation loses a message
    /// if it is blocked when the message reaches it on the poster's thread or when its handler
    /// would be called: messages posted meanwhile are not delivered later, and queued messages
    /// whose call would begin meanwhile are lost as well. The observation keeps its position, and
    /// `post` counts it as addressed, like an observation whose filter returns false. Blocking
    /// twice changes nothing.
    ///
    /// ```swift
    /// token.block()
    /// slider.value = center.volume  // this change is our own
    /// token.resume()
    /// ```
    public func block() {
        registration.isBlocked = true
    }

    /// Delivers messages to this observation again, from the next post on.
    ///
    /// An observation that is not blocked does not change, and one that has ended stays ended.
    public func resume() {
        registration.isBlocked = false
    }

    /// Whether this observation is blocked; for a combined token, whether all of its observations
    /// are blocked.
    package var isBlocked: Bool { registration.isBlocked }
}
