// SPDX-License-Identifier: Apache-2.0

/// What a deciding handler says of the rest of a delivery.
///
/// ```swift
/// let token = center.observe(deciding: KeyPressed.self, priority: .high) { key in
///     dialog.handle(key) ? .stop : .proceed
/// }
/// ```
public enum DeliveryDecision: Hashable, Sendable {
    /// The message goes on to the next recipient.
    case proceed
    /// Nobody after this handler receives the message.
    case stop
}

extension MessageCenter {
    /// Observes a type of message with a handler that may stop the rest of a delivery.
    ///
    /// After `.stop` nobody behind this observation, in the order of priority and registration,
    /// receives the message: no handler, no main-actor handler, no sequence and no mailbox. Those
    /// before it have it already. `post` returns the number it addressed, stopped or not. The
    /// handler runs on the poster's thread. One that throws lets the message go on.
    ///
    /// Posts of a type with such an observation take longer than others.
    ///
    /// ```swift
    /// let token = center.observe(deciding: KeyPressed.self, priority: .high) { key in
    ///     dialog.handle(key) ? .stop : .proceed
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message, and whether it goes on.
    /// - Returns: The token that ends the observation.
    public func observe<M: Message>(
        deciding type: M.Type,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (M) throws -> DeliveryDecision
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish(priority, once: once, about: subject, where: filter, source)
        return add(wish, on: .deciding) { DecidingRegistration($0, handler) }
    }

    /// Observes a type of message for as long as `owner` lives, with a handler that may stop the
    /// rest of a delivery.
    ///
    /// The rules are those of the plain form; the owner is held weakly and handed to the handler.
    ///
    /// ```swift
    /// center.observe(deciding: KeyPressed.self, owner: self, priority: .high) { dialog, key in
    ///     dialog.handle(key) ? .stop : .proceed
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - owner: The object whose life bounds the observation.
    ///   - priority: Its place among the observations of this type.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - filter: Called where the handler would be; false passes the message by.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with each message, and whether it goes on. Capture `self` nowhere:
    ///     use the parameter.
    /// - Returns: A token that ends the observation earlier, by `cancel()`.
    @discardableResult
    public func observe<M: Message, Owner: AnyObject & Sendable>(
        deciding type: M.Type,
        owner: Owner,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        where filter: (@Sendable (M) -> Bool)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (Owner, M) throws -> DeliveryDecision
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish(priority, once: once, about: subject, where: filter, source)
        return add(wish, on: .deciding) { DecidingRegistration($0, owner, handler) }
    }
}
