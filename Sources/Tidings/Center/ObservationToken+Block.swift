// SPDX-License-Identifier: Apache-2.0

extension ObservationToken {
    /// Lets messages pass this observation by until ``resume()``.
    ///
    /// After it has returned no call of the handler begins. A message passes by for good, if the
    /// observation is blocked when the message reaches it on the poster's thread or when its
    /// handler would be called: what is posted meanwhile is not made up for, and what was queued
    /// before and would be called now is lost as well. The observation keeps its place, and `post`
    /// counts it as addressed, as one whose filter says no. Blocking twice changes nothing.
    ///
    /// ```swift
    /// token.block()
    /// slider.value = center.volume  // this change is our own
    /// token.resume()
    /// ```
    public func block() {
        registration.isBlocked = true
    }

    /// Lets messages reach this observation again, from the next post on.
    ///
    /// An observation that is not blocked stays as it is, and one that has ended stays ended.
    public func resume() {
        registration.isBlocked = false
    }

    /// Whether messages pass this observation by; of several in one token, whether they pass all
    /// of them by.
    public var isBlocked: Bool { registration.isBlocked }
}
