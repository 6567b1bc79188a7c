// SPDX-License-Identifier: Apache-2.0

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
