// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Selects the messages of a type.
    ///
    /// ```swift
    /// let token = center.messages(of: Played.self).about(album).observe { print($0.title) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - fileID: The selecting file, for the leak report.
    ///   - line: The selecting line.
    /// - Returns: The selection, for options and handlers.
    public func messages<M: Message>(
        of type: M.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Selection<M> {
        Selection(.type(type), of: self, at: SourceLocation(fileID: fileID, line: line))
    }

    /// Selects the messages of a type through a static member.
    ///
    /// ```swift
    /// let token = center.messages(.loggedIn).observe { print("hello, \($0.name)") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The name of the type.
    ///   - fileID: The selecting file, for the leak report.
    ///   - line: The selecting line.
    /// - Returns: The selection, for options and handlers.
    public func messages<M: Message>(
        _ type: MessageType<M>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Selection<M> {
        messages(of: M.self, fileID: fileID, line: line)
    }

    /// Selects all posts under a name, and every ``NamedMessage`` of that name.
    ///
    /// Use this selection in code that cannot name a type yet. The rules for observing a type
    /// apply.
    ///
    /// ```swift
    /// let token = center.messages(named: "InternetConnect").priority(.high).observe { message in
    ///     print(message.name)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - fileID: The selecting file, for the leak report.
    ///   - line: The selecting line.
    /// - Returns: The selection, for options and handlers.
    public func messages(
        named name: String,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Selection<UntypedMessage> {
        Selection(.name(name), of: self, at: SourceLocation(fileID: fileID, line: line))
    }

    /// Every message of this center.
    ///
    /// An observation of all messages is ordered among the observations of each type and counts as
    /// a recipient. A post by name without a matching type is delivered as ``UntypedMessage``.
    /// Unlike tracing, this also delivers messages that are hidden from watchers.
    ///
    /// ```swift
    /// let token = center.allMessages.observe { message in print(type(of: message)) }
    /// ```
    public var allMessages: Selection<any Message> {
        Selection(.all, of: self, at: .unknown)
    }
}

extension MessageCenter: SelectionOrigin {
    var errorCenter: MessageCenter { self }

    func add<Element: Sendable>(
        _ kind: SelectionKind,
        with options: ObservationOptions<Element>,
        on place: RegistrationFlags,
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        switch kind {
        case .type(let type): return add(of: type, options, on: place, at: source, make)
        case .name(let name): return add(named: name, options, on: place, at: source, make)
        case .all: return addWildcard(options, on: place, at: source, make)
        case .conforming(let conformance):
            return add(conformingTo: conformance, options, on: place, at: source, make)
        case .states: preconditionFailure("A center has no states.")
        }
    }

    /// Registers an observation of a type.
    func add<M: Message, Element: Sendable>(
        of type: M.Type,
        _ options: ObservationOptions<Element>,
        on place: RegistrationFlags = [],
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        channel(of: type, on: .current).use { channel in
            let settings = options.settings(in: channel, on: place, at: source)
            return add(settings, in: channel, replay: options.replay ?? .none, of: type, make)
        }
    }

    /// Adds an observation with the given settings, and sweeps.
    func add<M: Message>(
        _ settings: RegistrationSettings,
        in channel: Channel,
        replay: Replay,
        of type: M.Type,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        let registration = register(settings, in: channel, replay: replay, of: type, make)
        channel.sweep(atMost: SubscriberList.sweepLimit)
        return ObservationToken(registration)
    }
}
