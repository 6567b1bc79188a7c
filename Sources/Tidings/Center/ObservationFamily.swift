// SPDX-License-Identifier: Apache-2.0

/// The types that one object observes with one call.
///
/// A family exists only inside the closure of ``MessageCenter/observe(owner:fileID:line:types:)``.
/// Each call of `on` adds an observation that is bound to the owner. A nil handler adds no
/// observation, so a function can accept optional handlers for a family of messages and pass them
/// on.
///
/// ```swift
/// center.observe(owner: screen) { family in
///     family.on(SearchCompleted.self) { screen, message in screen.show(message.results) }
///     family.on(RouteCalculated.self, onRoute)
/// }
/// ```
public struct ObservationFamily<Owner: AnyObject & Sendable>: ~Copyable {
    let center: MessageCenter
    let owner: Owner
    var tokens: [ObservationToken] = []

    init(_ center: MessageCenter, _ owner: Owner) {
        self.center = center
        self.owner = owner
    }

    /// Observes a type of message as long as the owner lives, if there is a handler.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: The closure to call with the owner and each message, or nil to observe nothing.
    public mutating func on<M: Message>(
        _ type: M.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: (@Sendable (Owner, M) throws -> Void)?
    ) {
        guard let handler else { return }
        tokens.append(center.observe(type, owner: owner, fileID: fileID, line: line, handler))
    }

    /// Observes a type of message on the main actor as long as the owner lives, if there is a
    /// handler.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - isolation: `.main`.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: The closure to call with the owner and each message, or nil to observe nothing.
    public mutating func on<M: Message>(
        _ type: M.Type,
        on isolation: MainIsolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: (@MainActor @Sendable (Owner, M) throws -> Void)?
    ) {
        guard let handler else { return }
        tokens.append(
            center.messages(of: type).observe(
                owner: owner,
                on: isolation,
                fileID: fileID,
                line: line,
                handler
            )
        )
    }
}

@available(*, unavailable)
extension ObservationFamily: Sendable {}

extension MessageCenter {
    /// Observes several types of message for as long as `owner` lives, with one token.
    ///
    /// Each observation has taken effect when its `on` returns. Observations of one type keep the
    /// order of the calls. The owner is held weakly.
    ///
    /// ```swift
    /// func observeMap(onRoute: (@Sendable (MapScreen, RouteCalculated) -> Void)? = nil) {
    ///     center.observe(owner: screen) { family in
    ///         family.on(SearchCompleted.self) { screen, message in screen.show(message.results) }
    ///         family.on(RouteCalculated.self, onRoute)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The object whose lifetime bounds the observations.
    ///   - fileID: The calling file, for the leak report.
    ///   - line: The observing line.
    ///   - members: Called once, before this call returns, to name the types and the handlers.
    /// - Returns: A token whose `cancel()` ends all these observations early. Dropping the token
    ///   while the owner lives changes nothing.
    @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        owner: Owner,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        types members: (inout ObservationFamily<Owner>) -> Void
    ) -> ObservationToken {
        var family = ObservationFamily(self, owner)
        members(&family)
        return ObservationToken(combining: family.tokens, fileID: fileID, line: line)
    }
}
