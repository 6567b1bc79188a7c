// SPDX-License-Identifier: Apache-2.0

extension ObservationFamily {
    /// Observes messages that are found by a static member, if there is a handler.
    ///
    /// By the rules of the form that takes the type itself.
    ///
    /// - Parameters:
    ///   - type: The identifier of the type.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message; nil observes nothing.
    public mutating func on<M: Message>(
        _ type: MessageType<M>,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: (@Sendable (Owner, M) throws -> Void)?
    ) {
        guard let handler else { return }
        tokens.append(
            center.observe(
                type,
                owner: owner,
                priority: priority,
                once: once,
                about: subject,
                where: filter,
                fileID: fileID,
                line: line,
                handler
            )
        )
    }

    /// Observes messages that are found by a static member, on the main actor, if there is a
    /// handler.
    ///
    /// - Parameters:
    ///   - type: The identifier of the type.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message; nil observes nothing.
    public mutating func on<M: Message>(
        _ type: MessageType<M>,
        on isolation: MainIsolation,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: (@MainActor @Sendable (Owner, M) throws -> Void)?
    ) {
        guard let handler else { return }
        tokens.append(
            center.observe(
                type,
                owner: owner,
                on: isolation,
                priority: priority,
                once: once,
                about: subject,
                where: filter,
                fileID: fileID,
                line: line,
                handler
            )
        )
    }
}
