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

extension ObservationToken {
    /// Creates one token for several observations.
    ///
    /// Cancelling, blocking and resuming apply to each observation, in order. Dropping this token
    /// drops the combined tokens: observations bound to their token end, and observations bound to
    /// an owner continue as long as the owner lives.
    ///
    /// ```swift
    /// let session = ObservationToken(combining: [
    ///     center.observe(LoggedIn.self) { print("hello, \($0.name)") },
    ///     center.observe(LoggedOut.self) { _ in print("bye") },
    /// ])
    /// session.cancel()
    /// ```
    ///
    /// - Parameters:
    ///   - tokens: The tokens of the observations.
    ///   - fileID: The calling file, for the leak report.
    ///   - line: The calling line.
    package convenience init(
        combining tokens: [ObservationToken],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let source = SourceLocation(fileID: fileID, line: line)
        self.init(CombinedRegistration(tokens, source))
    }
}

/// The registration of a token that combines several observations.
///
/// It is not in any subscriber list, so a token stays one reference in size and the common token
/// has no extra cost. Invariant: constant properties only.
final class CombinedRegistration: Registration, @unchecked Sendable {
    private static let home = RegistrationHome()
    private let members: [ObservationToken]

    init(_ members: [ObservationToken], _ source: SourceLocation) {
        self.members = members
        // Owned, so that dropping the token cancels nothing: each member decides that for itself.
        super.init(RegistrationSettings(home: Self.home, source: source), flags: .owned)
    }

    override var isExpired: Bool { false }

    override var parts: [Registration] { members.flatMap(\.registration.parts) }

    override var isBlocked: Bool {
        get { !members.isEmpty && members.allSatisfy(\.isBlocked) }
        set {
            for member in members { member.registration.isBlocked = newValue }
        }
    }

    override func cancel() {
        for member in members { member.cancel() }
    }
}
