// SPDX-License-Identifier: Apache-2.0

/// The handle of one observation.
///
/// The observation ends when `cancel()` is called or the last reference to the token is dropped,
/// whichever comes first, from any thread. An observation bound to an owner lives as long as the
/// owner. Dropping the token of such an observation early changes nothing. A token that the owner
/// stores releases the handler at the moment when the owner is deallocated.
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

    /// Whether the observation has ended.
    ///
    /// An observation ends when it is cancelled, after a single call, with the center, or when the
    /// owner or subject is found to be deallocated.
    public var hasEnded: Bool { registration.parts.allSatisfy { !$0.isActive } }

    /// Ends the observation.
    ///
    /// After this call has returned, no handler call starts, neither for a post in progress nor for
    /// a queued post. A call that had already started on another thread may still run. Cancelling
    /// again changes nothing.
    public func cancel() {
        registration.cancel()
    }
}

extension ObservationToken {
    /// Stops delivering messages to this observation until ``resume()`` is called.
    ///
    /// After this call has returned, no call of the handler starts. The observation loses a message
    /// if the block is in effect when the message arrives on the poster's thread or when the
    /// handler would be called. Messages posted during the block are therefore not delivered later,
    /// and queued messages whose call would start during the block are lost. The observation keeps
    /// its position, and `post` counts the observation as addressed, as if a filter had returned
    /// false. Blocking twice changes nothing.
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
    /// An observation that is not blocked does not change, and an ended observation stays ended.
    public func resume() {
        registration.isBlocked = false
    }

    /// Whether this observation is blocked.
    ///
    /// A combined token is blocked if all of its observations are blocked.
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
/// This registration is in no subscriber list. A token therefore stays one reference in size, and
/// the common token has no extra cost. Invariant: all properties are constant.
final class CombinedRegistration: Registration, @unchecked Sendable {
    private static let home = RegistrationHome()
    private let members: [ObservationToken]

    init(_ members: [ObservationToken], _ source: SourceLocation) {
        self.members = members
        // The flag is `owned`, so that dropping the token cancels nothing. Each member token
        // decides separately whether to cancel.
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
